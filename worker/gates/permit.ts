// One permit from a gate: each of its steps counts once, in whatever order a call ends.
import type { Closing, GateRefusal, Permit } from '../../activities/gate-port';
import type { GateLoad, Units } from '../../contracts/gate';
import type { Sent } from './rate-window';

/** What a permit was given for; `generation` as in {@link ClosingState}. `sentAtMs`: monotonic, Infinity until it is sent; `leftAtMs`: null until it left. */
export interface Granted {
  weight: number;
  /** The tool that is called, and the closings of its own when the call was sent; null = not told. */
  endpoint: { name: string; generation: number } | null;
  generation: number;
  /** What went on when it was sent; null until then. */
  load: GateLoad | null;
  sentAtMs: number;
  leftAtMs: number | null;
  entries: Sent[];
}

/** What a gate does at the steps of a permit. */
export interface PermitSteps {
  refusal(granted: Granted): GateRefusal | null;
  sent(granted: Granted): void;
  leaving(granted: Granted): void;
  answered(granted: Granted): void;
  used(granted: Granted, units: Units): void;
  succeeded(granted: Granted): void;
  throttleNumber(granted: Granted): number;
  throttled(granted: Granted, closing: Closing): number;
  restUntil(granted: Granted, closing: Closing): void;
  released(granted: Granted, wasSent: boolean): void;
}

export class CallPermit implements Permit {
  private wasSent = false;
  private wasReleased = false;
  private hasSucceeded = false;

  constructor(
    private readonly granted: Granted,
    private readonly gate: PermitSteps,
  ) {}

  startSending(): GateRefusal | null {
    const refusal = this.wasReleased ? ({ kind: 'stopped' } as const) : this.gate.refusal(this.granted);
    if (!refusal) this.countAsSent();
    return refusal;
  }

  leaving(): void {
    this.gate.leaving(this.granted);
  }

  answered(): void {
    this.gate.answered(this.granted);
  }

  used(units: Units): void {
    if (this.wasSent) this.gate.used(this.granted, units);
  }

  succeeded(): void {
    if (this.hasSucceeded) return;
    this.hasSucceeded = true;
    this.countAsSent();
    this.gate.succeeded(this.granted);
  }

  throttleNumber(): number {
    return this.gate.throttleNumber(this.granted);
  }

  throttled(closing: Closing): number {
    this.countAsSent();
    return this.gate.throttled(this.granted, closing);
  }

  restUntil(closing: Closing): void {
    this.gate.restUntil(this.granted, closing);
  }

  release(): void {
    if (this.wasReleased) return;
    this.wasReleased = true;
    this.gate.released(this.granted, this.wasSent);
  }

  /** An answer proves that the call was sent, whatever its caller said before. */
  private countAsSent(): void {
    if (this.wasSent || this.wasReleased) return;
    this.wasSent = true;
    this.gate.sent(this.granted);
  }
}
