// Waits that all end when whoever waits is stopped.
import type { GateClock } from './clock';

export class Pauses {
  private readonly ends = new Set<() => void>();
  isStopped = false;

  constructor(private readonly clock: GateClock) {}

  stop(): void {
    this.isStopped = true;
    for (const end of [...this.ends]) end();
  }

  /** Ends early when stopped. */
  wait(forMs: number): Promise<void> {
    if (forMs <= 0 || this.isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        stopTimer();
        this.ends.delete(end);
        resolve();
      };
      const stopTimer = this.clock.startTimer(forMs, end);
      this.ends.add(end);
    });
  }
}
