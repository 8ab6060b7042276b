// Those who want to be told once that something changed.

export class Watchers {
  private readonly waiting = new Set<() => void>();

  get size(): number {
    return this.waiting.size;
  }

  /** Resolves at the next `wake`, or when the signal aborts; then `onAborted` runs. */
  wait(signal: AbortSignal, onAborted: () => void): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const leave = () => {
        signal.removeEventListener('abort', abort);
        this.waiting.delete(leave);
        resolve();
      };
      const abort = () => {
        leave();
        onAborted();
      };
      signal.addEventListener('abort', abort, { once: true });
      this.waiting.add(leave);
    });
  }

  wake(): void {
    for (const leave of [...this.waiting]) leave();
  }
}
