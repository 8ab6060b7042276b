// The permit of a call that several gates have let through: of its requests, whose answers close and open the account, and of each unit.
import type { Closing, GateRefusal, Permit } from '../../activities/gate-port';
import type { Units } from '../../contracts/gate';

export class JointPermit implements Permit {
  constructor(
    private readonly requests: Permit,
    private readonly units: readonly Permit[],
  ) {}

  /** A unit refuses only when its lease is over: then a request is counted that was not sent, never one too few. */
  startSending(): GateRefusal | null {
    for (const permit of this.all()) {
      const refusal = permit.startSending();
      if (refusal) return refusal;
    }
    return null;
  }

  leaving(): void {
    for (const permit of this.all()) permit.leaving();
  }

  answered(): void {
    for (const permit of this.all()) permit.answered();
  }

  used(units: Units): void {
    for (const permit of this.units) permit.used(units);
  }

  succeeded(): void {
    for (const permit of this.all()) permit.succeeded();
  }

  throttleNumber(): number {
    return this.requests.throttleNumber();
  }

  throttled(closing: Closing): number {
    return this.requests.throttled(closing);
  }

  restUntil(closing: Closing): void {
    this.requests.restUntil(closing);
  }

  release(): void {
    for (const permit of this.all()) permit.release();
  }

  private all(): Permit[] {
    return [this.requests, ...this.units];
  }
}
