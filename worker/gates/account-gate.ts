// What the calls of one account go through: the gate of its requests, and one gate for each other unit that its limits count.
import type { AcquireRequest, Gate, GateAnswer, GateRefusal, Permit } from '../../activities/gate-port';
import type { Units } from '../../contracts/gate';
import type { GateClock } from './clock';
import type { ProviderGate } from './gate';
import { JointPermit } from './joint-permit';
import type { SlotSource } from './slot-supplier';

export class AccountGate implements Gate, SlotSource {
  constructor(
    readonly requests: ProviderGate,
    readonly units: readonly ProviderGate[],
    private readonly clock: GateClock,
  ) {}

  closedUntilMs(): number | null {
    return this.requests.closedUntilMs();
  }

  consecutiveThrottles(): number {
    return this.requests.consecutiveThrottles();
  }

  needsPerson(message: string): void {
    this.requests.needsPerson(message);
  }

  residentWait(): () => void {
    return this.requests.residentWait();
  }

  /** The permit of requests comes last: it takes up concurrency, which nobody may hold while waiting for units. All calls ask in one order, so none waits for another for ever. */
  async acquire({ units = {}, ...request }: AcquireRequest): Promise<GateAnswer> {
    const refusal = this.requests.exhaustion() ?? this.tooHeavy(units);
    if (refusal) return refusal;
    const deadlineMs = this.clock.monotonicMs() + request.maxWaitMs;
    const leftMs = () => Math.max(0, deadlineMs - this.clock.monotonicMs());
    const permits: Permit[] = [];
    for (const gate of this.units) {
      const weight = weightIn(gate, units);
      if (weight === 0) continue;
      const answer = await gate.acquire({ weight, maxWaitMs: leftMs(), signal: request.signal });
      if (answer.kind !== 'permit') return withoutPermits(answer, permits);
      permits.push(answer.permit);
    }
    const answer = await this.requests.acquire(permits.length === 0 ? request : { ...request, maxWaitMs: leftMs() });
    if (answer.kind !== 'permit') return withoutPermits(answer, permits);
    return permits.length === 0 ? answer : { kind: 'permit', permit: new JointPermit(answer.permit, permits) };
  }

  /** As many as every unit admits; calls that end without being sent need no units. */
  slots(): number {
    if (this.requests.exhaustion()) return this.requests.slots();
    return Math.min(...this.gates().map((gate) => gate.slots()));
  }

  async slotsChanged(signal: AbortSignal): Promise<void> {
    const seen = new AbortController();
    const either = AbortSignal.any([signal, seen.signal]);
    await Promise.race(this.gates().map((gate) => gate.slotsChanged(either)));
    seen.abort();
  }

  lookAgain(): void {
    for (const gate of this.gates()) gate.lookAgain();
  }

  private gates(): ProviderGate[] {
    return [this.requests, ...this.units];
  }

  private tooHeavy(units: Units): GateRefusal | null {
    const gate = this.units.find((one) => weightIn(one, units) > one.heaviest);
    if (!gate) return null;
    const { provider, account, unit = '' } = gate.settings;
    const message = `the call may use ${weightIn(gate, units)} ${unit}, but ${provider}.${account} admits ${gate.heaviest} in a whole window: lower units.${unit}.most of the tool, or split the input`;
    return { kind: 'too_heavy', message };
  }
}

const weightIn = ({ settings: { unit = '' } }: ProviderGate, units: Units): number => units[unit] ?? 0;

function withoutPermits(refusal: GateRefusal, permits: readonly Permit[]): GateRefusal {
  for (const permit of permits) permit.release();
  return refusal;
}
