// How a map ended, read from its closed workflow: with a result, refused at admission, cancelled natively, or stopped from outside.
import {
  ApplicationFailure,
  CancelledFailure,
  type WorkflowExecutionDescription,
  WorkflowFailedError,
} from '@temporalio/client';
import {
  CALL_FAILURE_CODES,
  type FailureCode,
  MAP_FAILURE_CODES,
  OPERATOR_FAILURE_CODES,
  type Problem,
  ROW_FAILURE_CODES,
} from '../contracts/failures';
import type { MapProgress, MapResult } from '../contracts/results';
import { counted } from './format';
import { mapQueries } from './map-queries';
import type { Server } from './server';

export type MapEnd =
  | { kind: 'result'; mapId: string; result: MapResult }
  /** Canceled workflows have no result. `progress`: the last figures, null when no worker is there to tell them. */
  | { kind: 'cancelled'; mapId: string; progress: MapProgress | null }
  | { kind: 'failed'; mapId: string; code: FailureCode | null; message: string; problems: Problem[] }
  | { kind: 'stopped'; mapId: string; status: string };

const KNOWN_CODES: ReadonlySet<string> = new Set([
  ...CALL_FAILURE_CODES,
  ...ROW_FAILURE_CODES,
  ...MAP_FAILURE_CODES,
  ...OPERATOR_FAILURE_CODES,
]);

/** The failure code that an error's type names; null for a type of another kind. */
export const codeNamed = (type: string | null | undefined): FailureCode | null =>
  KNOWN_CODES.has(type ?? '') ? (type as FailureCode) : null;

/** Of a map that runs no more. The result may take its time to load; there is nothing to wait for. */
export async function mapEnd(server: Server, description: WorkflowExecutionDescription): Promise<MapEnd> {
  const { workflowId: mapId, runId } = description;
  try {
    const result: MapResult = await server.client.workflow.getHandle(mapId, runId).result();
    return { kind: 'result', mapId, result };
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    if (error.cause instanceof CancelledFailure) {
      return { kind: 'cancelled', mapId, progress: await mapQueries(server).map(mapId) };
    }
    const failure = tellingFailure(error.cause);
    if (!failure) return { kind: 'stopped', mapId, status: description.status.name };
    const result = failure.details?.[0];
    if (isMapResult(result)) return { kind: 'result', mapId, result };
    return { kind: 'failed', mapId, ...failureParts(failure) };
  }
}

/** A map that a failed row ended has its complete table all the same, and carries its result in the failure. */
const isMapResult = (details: unknown): details is MapResult =>
  typeof details === 'object' && details !== null && 'output' in details && 'rows' in details;

/** An activity's failure arrives wrapped: the one with a code of ours tells, else the outermost. */
function tellingFailure(error: unknown): ApplicationFailure | null {
  const chain: ApplicationFailure[] = [];
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ApplicationFailure) chain.push(at);
  return chain.find(({ type }) => codeNamed(type) !== null) ?? chain[0] ?? null;
}

function failureParts(failure: ApplicationFailure): { code: FailureCode | null; message: string; problems: Problem[] } {
  const problems = problemsOf(failure.details?.[0]);
  // The failure's own text lists its problems too, for those who read it in the Temporal UI.
  const repeats = problems.length > 0 && problems.every((problem) => failure.message.includes(problem.message));
  return {
    code: codeNamed(failure.type),
    message: repeats ? `refused with ${counted(problems.length, 'problem')}, no row was run` : failure.message,
    problems,
  };
}

/** Details come from a worker, which may be of another version: anything that is not a problem is left out. */
function problemsOf(details: unknown): Problem[] {
  if (!Array.isArray(details)) return [];
  return details.filter((one): one is Problem => typeof one?.path === 'string' && typeof one?.message === 'string');
}
