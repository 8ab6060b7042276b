// Update, signals and query of a gate as the SDK wants them; their names and payloads are in contracts/.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  AdjustSignal,
  GateStatus,
  Lease,
  LeaseRequest,
  NeedsPersonSignal,
  ReturnedSignal,
  SucceededSignal,
  ThrottledSignal,
} from '../contracts/gate';
import { GATE_SIGNAL, LEASE_UPDATE, QUERY } from '../contracts/names';

export const leaseUpdate = defineUpdate<Lease, [LeaseRequest]>(LEASE_UPDATE);

export const throttledSignal = defineSignal<[ThrottledSignal]>(GATE_SIGNAL.throttled);
export const succeededSignal = defineSignal<[SucceededSignal?]>(GATE_SIGNAL.succeeded);
export const needsPersonSignal = defineSignal<[NeedsPersonSignal]>(GATE_SIGNAL.needsPerson);
export const returnedSignal = defineSignal<[ReturnedSignal]>(GATE_SIGNAL.returned);
export const gatePauseSignal = defineSignal(GATE_SIGNAL.pause);
export const gateResumeSignal = defineSignal(GATE_SIGNAL.resume);
export const gateAdjustSignal = defineSignal<[AdjustSignal]>(GATE_SIGNAL.adjust);

export const gateStatusQuery = defineQuery<GateStatus>(QUERY.status);
