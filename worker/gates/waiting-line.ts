// Calls that wait for a permit, in order of arrival.
import type { AcquireRequest, GateAnswer } from '../../activities/gate-port';

/** `deadlineMs`: monotonic instant at which the call gives up waiting. */
export interface Waiter {
  weight: number;
  endpoint: string | null;
  deadlineMs: number;
}

export class WaitingLine {
  private waiters: (Waiter & { answer(answer: GateAnswer): void })[] = [];

  get length(): number {
    return this.waiters.length;
  }

  /** Weight of the call at the head; undefined = nobody waits. */
  get headWeight(): number | undefined {
    return this.waiters[0]?.weight;
  }

  /** Earliest deadline; Infinity = nobody waits. */
  get firstDeadlineMs(): number {
    return this.waiters.reduce((atMs, waiter) => Math.min(atMs, waiter.deadlineMs), Number.POSITIVE_INFINITY);
  }

  /** Joins at the end. The promise settles with what `sweep` decides, or with `stopped` as soon as the signal aborts; then `onStopped` runs. */
  join(waiter: Waiter, signal: AcquireRequest['signal'], onStopped: () => void): Promise<GateAnswer> {
    if (signal.aborted) return Promise.resolve({ kind: 'stopped' });
    return new Promise((resolve) => {
      const stop = () => {
        this.waiters = this.waiters.filter((other) => other !== entry);
        resolve({ kind: 'stopped' });
        onStopped();
      };
      const entry = {
        ...waiter,
        answer: (answer: GateAnswer) => {
          signal.removeEventListener('abort', stop);
          resolve(answer);
        },
      };
      signal.addEventListener('abort', stop, { once: true });
      this.waiters.push(entry);
    });
  }

  /** Asks for each call in order, with the weight of those that still wait before it; null lets it wait on. */
  sweep(decide: (waiter: Waiter, weightBefore: number) => GateAnswer | null): void {
    let weightBefore = 0;
    this.waiters = this.waiters.filter((waiter) => {
      const answer = decide(waiter, weightBefore);
      if (answer) waiter.answer(answer);
      else weightBefore += waiter.weight;
      return !answer;
    });
  }
}
