// Asks the shared gates of provider accounts how they stand: by the names a map uses, or all that a namespace has.
import { WorkflowNotFoundError } from '@temporalio/client';
import type { GateStatus } from '../../contracts/gate';
import { QUERY_CONCURRENCY, SHOWN_GATES } from '../../contracts/limits';
import { QUERY, WORKFLOW } from '../../contracts/names';
import { inTurns } from '../in-turns';
import { isUnanswered } from '../map-queries';
import { type Server, withinTime } from '../server';
import { gateIdOf, gateNameOf } from './gate-name';

/** `none`: no call was ever made, so no worker has started it. `silent`: no worker answers for it just now. */
export type GateAnswer = { kind: 'status'; status: GateStatus } | { kind: 'none' } | { kind: 'silent' };

export interface NamedGate {
  /** `<provider>.<account>`. */
  gate: string;
  answer: GateAnswer;
}

export async function readGate(server: Server, gate: string): Promise<GateAnswer> {
  const handle = server.client.workflow.getHandle(gateIdOf(gate));
  try {
    return { kind: 'status', status: await withinTime(server, () => handle.query<GateStatus>(QUERY.status)) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { kind: 'none' };
    if (isUnanswered(error)) return { kind: 'silent' };
    throw error;
  }
}

export const readGates = (server: Server, gates: readonly string[]): Promise<NamedGate[]> =>
  inTurns(gates, QUERY_CONCURRENCY, async (gate) => ({ gate, answer: await readGate(server, gate) }));

/** Names of the running gates, sorted, at most SHOWN_GATES. Visibility may lag by a second. */
export async function gateNames(server: Server): Promise<string[]> {
  const query = `WorkflowType = '${WORKFLOW.providerGate}' AND ExecutionStatus = 'Running'`;
  const names: string[] = [];
  for await (const { workflowId } of server.client.workflow.list({ query, pageSize: SHOWN_GATES })) {
    names.push(gateNameOf(workflowId));
    if (names.length === SHOWN_GATES) break;
  }
  return names.sort();
}
