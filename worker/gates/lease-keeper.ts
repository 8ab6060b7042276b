// Keeps the lease of one gate while it is in use: asks, applies the share, renews, gives it back; and tells the shared gate of every closing.
import type { GateCounts, GateLimits, GatePace, Lease, LeaseRequest, ToldEndpoint } from '../../contracts/gate';
import { IDLE_AFTER_MS, LEASE_RETRY_MS, RENEWALS_PER_LEASE, SAME_CLOSING_MS } from '../../contracts/limits';
import type { GateClock } from './clock';
import type { ProviderGate } from './gate';
import type { SharedGate } from './gate-client';
import { GateTeller } from './gate-teller';
import { Pauses } from './pauses';

export interface KeeperSettings {
  /** Unique for this process. */
  worker: string;
  ttlMs: number;
  /** Told once when a lease ends because the shared gate does not answer, with the last error. */
  warn(message: string): void;
}

export class LeaseKeeper {
  private request = 0;
  private applied = 0;
  /** Monotonic end of the lease that was applied last. */
  private endsMs = Number.NEGATIVE_INFINITY;
  /** A worker that was given nothing keeps asking: idle, it would take calls from the queue that only others can send. */
  private isIdleAllowed = true;
  private used = { unitsSent: 0, atMs: 0 };
  private readonly startedMs: number;
  private isRunning = false;
  private hasWarned = false;
  private readonly pauses: Pauses;
  private readonly teller: GateTeller;

  constructor(
    private readonly gate: ProviderGate,
    private readonly shared: SharedGate,
    private readonly settings: KeeperSettings,
    private readonly clock: GateClock,
  ) {
    gate.requireLease(() => this.start());
    this.startedMs = clock.monotonicMs();
    this.pauses = new Pauses(clock);
    this.teller = new GateTeller(gate, shared, { ttlMs: settings.ttlMs, upMs: () => this.upMs() }, clock, this.pauses);
  }

  /** Gives the lease back; call it when nothing is sent any more. Resolves when the server knows, or does not answer. */
  async stop(): Promise<void> {
    this.pauses.stop();
    if (this.clock.monotonicMs() < this.endsMs) await this.giveBack();
  }

  private start(): void {
    if (this.isRunning || this.pauses.isStopped) return;
    this.isRunning = true;
    void this.keep().finally(() => {
      this.isRunning = false;
      // A call may have come while the lease was given back.
      this.gate.lookAgain();
    });
  }

  private async keep(): Promise<void> {
    this.noteUse(true);
    let mayWait = false;
    while (!this.pauses.isStopped) {
      const sentMs = this.clock.monotonicMs();
      const knowsAll = this.teller.mark();
      try {
        const lease = await this.shared.lease(this.nextRequest(mayWait && sentMs < this.endsMs));
        if (this.pauses.isStopped) return;
        this.apply(lease, sentMs, knowsAll());
        await this.pauses.wait(lease.restMs);
        mayWait = lease.restMs < this.periodMs;
      } catch (error) {
        this.warnWhenOver(error);
        await this.pauses.wait(LEASE_RETRY_MS);
        mayWait = false;
      }
      if (this.isIdle()) return this.giveBack();
    }
  }

  private get periodMs(): number {
    return Math.floor(this.settings.ttlMs / RENEWALS_PER_LEASE);
  }

  private nextRequest(mayWait: boolean): LeaseRequest {
    const { worker, ttlMs } = this.settings;
    const { rate, concurrency, unit } = this.gate.settings;
    const { inFlight, unitsPending, headWeight } = this.gate.snapshot();
    this.request += 1;
    return {
      worker,
      request: this.request,
      applied: this.applied,
      limits: { rate: rate.map(({ limit, perMs }) => ({ limit, perMs })), concurrency },
      ttlMs,
      waitMs: mayWait ? this.periodMs : 0,
      inFlight,
      counts: this.counts(),
      ...(unitsPending === 0 ? {} : { pending: unitsPending }),
      upMs: this.upMs(),
      ...(unit === undefined ? {} : { wants: headWeight }),
    };
  }

  private upMs(): number {
    return Math.round(this.clock.monotonicMs() - this.startedMs);
  }

  private counts(): GateCounts {
    const { unitsSent: sent, unitsSettled: settled, succeeded, throttled } = this.gate.snapshot();
    return { sent, succeeded, throttled, ...(this.gate.settings.unit === undefined ? {} : { settled }) };
  }

  /** The lease counts from when its request left, everything else from now. */
  private apply(lease: Lease, sentMs: number, knowsAll: boolean): void {
    const nowMs = this.clock.monotonicMs();
    this.hasWarned = false;
    this.endsMs = sentMs + lease.ttlMs;
    this.applyClosing(lease, nowMs, knowsAll);
    const allowance = lease.allowance === null ? null : { units: lease.allowance, moreAtMs: nowMs + lease.moreAfterMs };
    const { rate, concurrency } = withPace(lease.paused ? { ...lease.share, concurrency: 0 } : lease.share, lease.pace);
    const { heaviest, shortestWindowMs } = lease;
    this.gate.lease({
      rate,
      concurrency,
      allowance,
      untilMs: this.endsMs,
      ...(heaviest === undefined ? {} : { heaviest }),
      ...(shortestWindowMs === undefined ? {} : { shortestWindowMs }),
    });
    this.applied = lease.number;
    this.isIdleAllowed = !lease.paused && !isNothing(lease.share);
  }

  private applyClosing(lease: Lease, nowMs: number, knowsAll: boolean): void {
    const { closing, throttlesInARow, noProgressMs, needsPerson = null } = lease;
    const localMs = (this.gate.closedUntilMs() ?? 0) - this.clock.wallMs();
    if (closing && closing.remainingMs > Math.max(0, localMs) + SAME_CLOSING_MS) {
      this.gate.closeShared(closing.remainingMs);
    }
    if (!knowsAll) return;
    this.gate.sharePerson(needsPerson);
    this.gate.shareProgress({
      throttlesInARow,
      firstThrottleMs: noProgressMs === null ? null : nowMs - noProgressMs,
    });
    if (lease.endpoints) this.gate.shareEndpoints(lease.endpoints.map((told) => sharedEndpoint(told, nowMs)));
  }

  private warnWhenOver(error: unknown): void {
    if (this.hasWarned || this.clock.monotonicMs() < this.endsMs) return;
    this.hasWarned = true;
    const { provider, account } = this.gate.settings;
    const reason = error instanceof Error ? error.message : String(error);
    this.settings.warn(`gate ${provider}/${account}: no lease, nothing is sent until the server gives one: ${reason}`);
  }

  private isIdle(): boolean {
    this.noteUse(false);
    return this.isIdleAllowed && this.clock.monotonicMs() - this.used.atMs >= IDLE_AFTER_MS;
  }

  private noteUse(isUsed: boolean): void {
    const { inFlight, waiting, unitsSent } = this.gate.snapshot();
    if (!isUsed && inFlight === 0 && waiting === 0 && unitsSent === this.used.unitsSent) return;
    this.used = { unitsSent, atMs: this.clock.monotonicMs() };
  }

  /** Nothing is sent from here on; when the server does not hear it the lease ends by itself. */
  private async giveBack(): Promise<void> {
    this.gate.endLease();
    if (this.clock.monotonicMs() >= this.endsMs) return;
    this.endsMs = Number.NEGATIVE_INFINITY;
    const { worker } = this.settings;
    await this.shared.returned({ worker, request: this.request, counts: this.counts() }).catch(() => undefined);
  }
}

const sharedEndpoint = ({ endpoint, closing, throttlesInARow, noProgressMs }: ToldEndpoint, nowMs: number) => ({
  endpoint,
  remainingMs: closing?.remainingMs ?? 0,
  throttlesInARow,
  firstThrottleMs: noProgressMs === null ? null : nowMs - noProgressMs,
});

function withPace({ rate, concurrency }: GateLimits, pace: GatePace | null | undefined): GateLimits {
  if (!pace) return { rate, concurrency };
  const most = Math.min(concurrency ?? Number.POSITIVE_INFINITY, pace.concurrency ?? Number.POSITIVE_INFINITY);
  return { rate: pace.rate ? [...rate, pace.rate] : rate, concurrency: Number.isFinite(most) ? most : null };
}

const isNothing = ({ rate, concurrency }: GateLimits): boolean =>
  concurrency === 0 || rate.some(({ limit }) => limit === 0);
