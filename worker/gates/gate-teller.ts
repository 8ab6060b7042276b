// Tells the shared gate what this worker meets: closings, recoveries, a person who has to act; each until the server has it or it is over.
import { LEASE_RETRY_MS, TOLD_REST_MS } from '../../contracts/limits';
import type { GateClock } from './clock';
import type { EndpointClosed } from './endpoint-closings';
import type { ProviderGate } from './gate';
import type { SharedGate } from './gate-client';
import type { ClosedEvent } from './gate-types';
import type { Pauses } from './pauses';

/** `ttlMs`: of a lease. `upMs`: how long ago this worker was started. */
export interface TellerSettings {
  ttlMs: number;
  upMs(): number;
}

export class GateTeller {
  /** Grows with each message: an answer to an earlier request does not know of it. */
  private told = 0;
  /** Messages on their way: what is asked meanwhile may be answered without them. */
  private telling = 0;

  constructor(
    gate: ProviderGate,
    private readonly shared: SharedGate,
    private readonly settings: TellerSettings,
    private readonly clock: GateClock,
    private readonly pauses: Pauses,
  ) {
    gate.onClosed((closing) => void this.tellClosing(closing));
    gate.onRecovered(() => void this.tellRecovery());
    gate.onEndpointClosed((closed) => void this.tellEndpointClosed(closed));
    gate.onEndpointRecovered((endpoint) => void this.tellRecovery(endpoint));
    gate.onNeedsPerson((message) => void this.tellPerson(message));
  }

  /** Call it when a request leaves; the result says, when its answer is here, whether the answer knows all that was told. */
  mark(): () => boolean {
    const { told, telling } = this;
    return () => telling === 0 && told === this.told;
  }

  /** What remains of a closing is counted anew for each try. */
  private async tellClosing({ remainingMs, reason, status, said, isRest, load }: ClosedEvent): Promise<void> {
    // A rest that is over before the others hear of it is not worth a message.
    if (isRest && remainingMs < TOLD_REST_MS) return;
    await this.tell(this.clock.monotonicMs() + remainingMs, (leftMs) =>
      this.shared.throttled({
        remainingMs: leftMs,
        reason,
        ...(status === undefined ? {} : { status }),
        ...(said === undefined ? {} : { said }),
        ...(isRest ? { isRest } : {}),
        ...(load ? { load } : {}),
      }),
    );
  }

  private tellEndpointClosed({ remainingMs, ...closed }: EndpointClosed): Promise<void> {
    const untilMs = this.clock.monotonicMs() + remainingMs;
    return this.tell(untilMs, (leftMs) => this.shared.throttled({ remainingMs: leftMs, ...closed }));
  }

  /** Without a lease nothing is sent meanwhile. */
  private tellPerson(message: string): Promise<void> {
    const { upMs } = this.settings;
    return this.tell(Number.POSITIVE_INFINITY, () => this.shared.needsPerson({ message, upMs: upMs() }));
  }

  /** A recovery that is not heard is found again with the next success. */
  private tellRecovery(endpoint?: string): Promise<void> {
    const untilMs = this.clock.monotonicMs() + this.settings.ttlMs;
    return this.tell(untilMs, () => this.shared.succeeded(endpoint === undefined ? {} : { endpoint }));
  }

  private async tell(untilMs: number, send: (leftMs: number) => Promise<void>): Promise<void> {
    this.telling += 1;
    try {
      for (;;) {
        this.told += 1;
        const leftMs = untilMs - this.clock.monotonicMs();
        if (leftMs <= 0 || this.pauses.isStopped) return;
        const isHeard = await send(leftMs).then(
          () => true,
          () => false,
        );
        if (isHeard) return;
        await this.pauses.wait(LEASE_RETRY_MS);
      }
    } finally {
      this.telling -= 1;
    }
  }
}
