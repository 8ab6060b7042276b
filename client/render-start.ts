// A map that was just started, as text and as JSON: where it is, what admission said, which commands come next.
import { failureLine } from '../contracts/failures';
import type { Verdict } from './admission';
import { type ConnectionFlags, repeatedFlags } from './connection-settings';
import { counted } from './format';
import { forecastLine } from './render-budget';
import { endLines } from './render-end';
import type { Server } from './server';
import { uiLink } from './ui-link';

export const noWorkerLine = (taskQueue: string): string =>
  failureLine(
    'NO_WORKER',
    `no worker polls task queue "${taskQueue}"; the map waits until a worker starts: ./temporal-dev.sh worker`,
  );

/** The fields of a started map that every JSON answer has. */
export const started = (server: Server, mapId: string, runId: string, worker: boolean) => ({
  mapId,
  runId,
  address: server.address,
  namespace: server.namespace,
  taskQueue: server.taskQueue,
  ui: uiLink(server.address, server.namespace, mapId),
  worker,
});

export function startedLines(server: Server, mapId: string, runId: string): string[] {
  const link = uiLink(server.address, server.namespace, mapId);
  return [`started ${mapId}  run ${runId}`, ...(link === null ? [] : [`  UI  ${link}`])];
}

export function verdictParts(verdict: Verdict): object {
  if (verdict.kind === 'open') return { state: 'admitting' };
  if (verdict.kind === 'ended') return { state: 'ended', end: verdict.end };
  const { state, cardinality, warnings, budget } = verdict.progress;
  return { state, cardinality, warnings, ...(budget ? { budget } : {}) };
}

export function verdictLines(verdict: Verdict): string[] {
  if (verdict.kind === 'open') return ['  not admitted yet'];
  if (verdict.kind === 'ended') return endLines(verdict.end);
  const { cardinality, warnings, budget } = verdict.progress;
  const left = [
    ...(cardinality?.duplicateOccurrences ? [counted(cardinality.duplicateOccurrences, 'duplicate')] : []),
    ...(cardinality?.rejectedRows ? [`${cardinality.rejectedRows} rejected`] : []),
  ];
  const note = left.length > 0 ? ` (${left.join(', ')})` : '';
  return [
    `  admitted ${counted(cardinality?.uniqueInputRows ?? 0, 'row')}${note}`,
    ...(budget ? [`  ${forecastLine(budget)}`] : []),
    ...warnings.map((warning) => `  warning: ${warning}`),
  ];
}

/** Commands to go on with, with the connection flags that were given. */
export function nextLines(mapId: string, flags: ConnectionFlags): string[] {
  const same = repeatedFlags(flags);
  return [
    'next:',
    `  sluice watch ${mapId}${same}`,
    `  sluice status|pause|resume|cancel ${mapId}${same}`,
    `  temporal workflow query -w ${mapId} --type progress${same}`,
  ];
}
