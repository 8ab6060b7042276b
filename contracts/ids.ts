// Every id and task queue name, made of what the work is: never of an attempt, a clock or a run.

/** Map ids, as in design: one to a hundred characters, safe as a file name and as a workflow id. */
export const MAP_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Names of providers, accounts, tools and columns: they become parts of ids, queues and file columns. */
export const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

/** Workflow id of page `page` (from 0) of a map. */
export const pageWorkflowId = (mapId: string, page: number): string => `${mapId}/p${page}`;

/** Workflow id of section `section` (from 0) of a map that has sections. */
export const sectionWorkflowId = (mapId: string, section: number): string => `${mapId}/s${section}`;

/** Workflow id of the row with this identity (`k:…` or `p:…`). */
export const rowWorkflowId = (mapId: string, identity: string): string => `${mapId}/r/${identity}`;

/** The map that a row belongs to, by the row's workflow id. */
export const mapOfRow = (workflowId: string): string => workflowId.split('/r/', 1)[0] as string;

/** Workflow id of an export of a map: one at a time. */
export const exportWorkflowId = (mapId: string): string => `${mapId}/export`;

/** Task queue that carries the calls of one account of one provider. */
export const providerTaskQueue = (provider: string, account: string): string => `sluice.${provider}.${account}`;

/** Workflow id of a shared call of `tool`; `key` is the digest that its receipt is found under. */
export const sharedCallId = (tool: string, key: string): string => `call/${tool}/${key}`;

/** Workflow id of the call that refreshes a stale receipt: `runId` is the run that holds it, so all who find it stale meet here. */
export const refreshCallId = (callId: string, runId: string): string => `${callId}/r/${runId}`;

/** Workflow id of what a person said became of a billing request: it is settled once, for everybody who waits to know. */
export const settledCallId = (billingRequestId: string): string => `settled/${billingRequestId}`;

/** Workflow id of the gate that the workers share for one account of one provider; `unit`: of its limits in that unit. */
export const gateWorkflowId = (provider: string, account: string, unit?: string): string =>
  ['gate', provider, account, ...(unit === undefined ? [] : [unit])].join('/');
