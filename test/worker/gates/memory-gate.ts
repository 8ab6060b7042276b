// The shared gate in memory, by the same pure steps as the workflow, on a clock that is turned by hand.
import type { Lease, LeaseRequest } from '../../../contracts/gate';
import type { SharedGate } from '../../../worker/gates/gate-client';
import { leaseFor } from '../../../workflows/gate-lease';
import { withPersonStop } from '../../../workflows/gate-person';
import {
  atInstant,
  type GateState,
  heard,
  NEW_GATE,
  returned,
  succeeded,
  throttled,
} from '../../../workflows/gate-state';
import type { ManualClock } from './manual-clock';

const SERVER_START_MS = Date.UTC(2027, 0, 1);

/** The shared gate in memory; the server's clock is none of the worker's. Messages take `delayMs` each way, and none arrive while it is `isCutOff`. */
export class MemoryGate implements SharedGate {
  state: GateState = NEW_GATE;
  requests: LeaseRequest[] = [];
  delayMs = 10;
  isCutOff = false;

  constructor(private readonly clock: ManualClock) {}

  async lease(request: LeaseRequest): Promise<Lease> {
    this.requests.push(request);
    await this.travel();
    this.change((state) => heard(state, request));
    await this.clock.sleep(request.waitMs);
    const { state, lease } = leaseFor(this.state, request.worker, true);
    this.state = state;
    await this.travel();
    return lease;
  }

  async throttled(message: Parameters<SharedGate['throttled']>[0]): Promise<void> {
    await this.travel();
    this.change((state) => throttled(state, message));
  }

  async succeeded(message: Parameters<SharedGate['succeeded']>[0]): Promise<void> {
    await this.travel();
    this.change((state) => succeeded(state, message));
  }

  async needsPerson(message: Parameters<SharedGate['needsPerson']>[0]): Promise<void> {
    await this.travel();
    this.change((state) => ({ ...state, needsPerson: withPersonStop(state.needsPerson, state.seenMs, message) }));
  }

  async returned(message: Parameters<SharedGate['returned']>[0]): Promise<void> {
    await this.travel();
    this.change((state) => returned(state, message));
  }

  change(step: (state: GateState) => GateState): void {
    this.state = step(atInstant(this.state, SERVER_START_MS + this.clock.monotonicMs()));
  }

  private async travel(): Promise<void> {
    await this.clock.sleep(this.delayMs);
    if (this.isCutOff) throw new Error('cut off');
  }
}
