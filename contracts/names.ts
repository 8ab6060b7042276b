// Every name that crosses a process: workflow types, signals, queries, activities, task queues.

/** Task queue of the maps, pages, rows and of activities that belong to no provider. */
export const MAIN_TASK_QUEUE = 'sluice';

/** Workflow types, as `temporal workflow start --type` takes them. */
export const WORKFLOW = {
  datasetMap: 'datasetMap',
  exportMap: 'exportMap',
  mapSection: 'mapSection',
  mapPage: 'mapPage',
  mapRow: 'mapRow',
  providerGate: 'providerGate',
  sharedCall: 'sharedCall',
  settledCall: 'settledCall',
} as const;

/** Signals a person may send to a map. Payloads: `cancel`, `pause`, `resume` none; `setConcurrency` {@link SetConcurrency}, `setCaps` {@link SetCaps}. */
export const CONTROL_SIGNAL = {
  cancel: 'cancel',
  pause: 'pause',
  resume: 'resume',
  setConcurrency: 'setConcurrency',
  setCaps: 'setCaps',
} as const;

/** Signals between a map and its pages, and from a page to its rows. Nobody else sends them. */
export const INTERNAL_SIGNAL = {
  setRoom: 'setRoom',
  setPaused: 'setPaused',
  pageReport: 'pageReport',
} as const;

/** Signals between a row and the shared call that it waits for; payloads in contracts/shared-call.ts. Nobody else sends them. */
export const CALL_SIGNAL = {
  attach: 'attach',
  detach: 'detach',
  answer: 'answer',
} as const;

/** Update that workers send to a gate: {@link LeaseRequest} of contracts/gate.ts, answered by its {@link Lease}. */
export const LEASE_UPDATE = 'lease';

/** Signals to a gate. A person may send `pause`, `resume` (no payload), `adjust` and `throttled`; the payloads are in contracts/gate.ts. */
export const GATE_SIGNAL = {
  throttled: 'throttled',
  succeeded: 'succeeded',
  needsPerson: 'needsPerson',
  returned: 'returned',
  pause: 'pause',
  resume: 'resume',
  adjust: 'adjust',
} as const;

/** Queries: `status` on a gate, `progress` on a map and on a page, `holds` on a page and on a row. */
export const QUERY = {
  progress: 'progress',
  holds: 'holds',
  status: 'status',
} as const;

/** The one activity that runs on a provider's own task queue. */
export const DISPATCH_ACTIVITY = 'dispatch';

/** The activity by which a row joins a shared call. */
export const JOIN_ACTIVITY = 'joinCall';

/** Payload of `setConcurrency`: rows open at the same time (1 to 2,000), rows parked beyond them (0 to 20,000). */
export interface SetConcurrency {
  rows?: number;
  parkedRows?: number;
}

/** Payload of `setCaps`: what is left out stays as it is, null lifts a cap. `maxCalls` from 1, `maxCost` above 0. */
export interface SetCaps {
  maxCalls?: number | null;
  maxCost?: number | null;
}
