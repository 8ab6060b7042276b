// Paused or not, by the latest order: two signals of one sender may overtake each other on their way, and the later one must win.
import type { PauseOrder } from '../contracts/results';

export class PauseState {
  private latest: PauseOrder = { version: 0, paused: false };

  get isPaused(): boolean {
    return this.latest.paused;
  }

  /** To be told to whoever is there only now. */
  get order(): PauseOrder {
    return this.latest;
  }

  /** The next order of whoever decides; null when nothing changes. */
  change(paused: boolean): PauseOrder | null {
    if (paused === this.latest.paused) return null;
    this.latest = { version: this.latest.version + 1, paused };
    return this.latest;
  }

  /** Takes an order in; false when a later one is known already. */
  accept(order: PauseOrder): boolean {
    if (order.version <= this.latest.version) return false;
    this.latest = order;
    return true;
  }
}
