// All activities of a worker, built from what the composition root hands in.
import type {
  FinishInput,
  FinishResult,
  PageRef,
  PageRows,
  StoreRowResultInput,
  StoreValueInput,
  WriteResultsInput,
} from '../contracts/activity-io';
import type { Json, StoredValue } from '../contracts/outcomes';
import type { JoinAnswer, JoinInput } from '../contracts/shared-call';
import { type AdmitDeps, createAdmitMap } from './admit-map';
import { createAdmittedCheck, inStore } from './admitted-here';
import { inputDigest } from './call-identity';
import type { RunningMaps } from './claim-outputs';
import { createDispatch } from './dispatch';
import type { DispatchDeps } from './dispatch-state';
import { createExportMap } from './export-map';
import { evaluateExpression } from './expressions/evaluate-expression';
import { createFinishMap, type FinishDeps } from './finish-map';
import { createJoinCall } from './join-call';
import { readWorkflowResult } from './read-workflow-result';
import { createSettleCall } from './settle-call';
import type { SharedCallPort } from './shared-call-port';
import { createWriteResults } from './write-results';

/** What activities ask the server; the worker hands in its Temporal client. */
export interface ServerPorts extends RunningMaps {
  calls: SharedCallPort;
}

export type ActivityDeps = Omit<AdmitDeps, 'settlements' | keyof ServerPorts> & FinishDeps & DispatchDeps;

/** Activities of the main task queue. `dispatch` is among them for tools whose provider has no file. */
export function createActivities(deps: ActivityDeps & ServerPorts) {
  const { store } = deps;
  const checkAdmitted = createAdmittedCheck(store);
  const admitted = <Result>(mapId: string, work: () => Promise<Result>) => inStore(checkAdmitted, mapId, work);
  const finishMap = createFinishMap(deps);
  const writeResults = createWriteResults(deps);
  const joinCall = createJoinCall(deps.calls);
  return {
    admitMap: createAdmitMap({ ...deps, settlements: deps.calls }),
    finishMap: (input: FinishInput): Promise<FinishResult> => admitted(input.mapId, () => finishMap(input)),
    exportMap: createExportMap(deps),
    dispatch: createDispatch(deps),
    readPage: ({ mapId, page }: PageRef): Promise<PageRows> => admitted(mapId, () => store.readPage(mapId, page)),
    writeResults: (input: WriteResultsInput): Promise<void> => admitted(input.mapId, () => writeResults(input)),
    storeRowResult: ({ mapId, outcome }: StoreRowResultInput): Promise<StoredValue> =>
      admitted(mapId, () => store.putValue(mapId, JSON.stringify(outcome))),
    storeValue: ({ mapId, value }: StoreValueInput): Promise<StoredValue> =>
      admitted(mapId, () => store.putValue(mapId, JSON.stringify(value))),
    digestInput: async ({ input }: { input: Json }): Promise<string> => inputDigest(input),
    readWorkflowResult,
    evaluateExpression,
    joinCall: (input: JoinInput): Promise<JoinAnswer> => admitted(input.mapId, () => joinCall(input)),
    settleCall: createSettleCall(deps),
  };
}

/** Activities of a provider's task queue. */
export const createCallActivities = (deps: DispatchDeps) => ({ dispatch: createDispatch(deps) });
