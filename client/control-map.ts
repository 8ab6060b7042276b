// Sends one order to a running map and looks for a few seconds whether the map obeys.
import { WorkflowNotFoundError } from '@temporalio/client';
import { CONFIRM_POLL_MS, CONFIRM_WITHIN_MS } from '../contracts/limits';
import type { MapProgress } from '../contracts/results';
import { connectionSettings } from './connection-settings';
import { EXIT } from './exit-codes';
import { findMap, findRunningMap } from './find-map';
import { mapQueries } from './map-queries';
import { whyNoAnswer } from './no-answer';
import { type Server, withinTime, withServer } from './server';
import { print, printJson, type Shell } from './shell';
import type { CommonFlags } from './verb';

export interface Order {
  mapId: string;
  /** Name of the order in the answer, such as `pause`. */
  order: string;
  send(server: Server): Promise<unknown>;
  /** Whether the map does as it was told. */
  obeyed(progress: MapProgress): boolean;
  /** What to say when it does. */
  done(progress: MapProgress): string;
}

/** Throws MAP_NOT_FOUND and MAP_ENDED before anything is sent. Exit code 0 once the order was sent, obeyed yet or not. */
export async function controlMap(shell: Shell, flags: CommonFlags, order: Order): Promise<number> {
  return withServer(connectionSettings(flags, shell.env), async (server) => {
    await findRunningMap(server, order.mapId);
    await withinTime(server, () => order.send(server)).catch(async (error: unknown) => {
      // It may have ended since it was looked at: then the look tells so.
      if (error instanceof WorkflowNotFoundError) await findRunningMap(server, order.mapId);
      throw error;
    });
    const outcome = await confirm(server, shell, order);
    if (flags.json) printJson(shell, { mapId: order.mapId, order: order.order, ...outcome.json });
    else print(shell, outcome.line);
    return EXIT.ok;
  });
}

interface Outcome {
  line: string;
  json: object;
}

/** Looks until the map obeys, has ended, or the time is up; at once no more when there is nobody who could answer. */
async function confirm(server: Server, shell: Shell, order: Order): Promise<Outcome> {
  const deadline = shell.now() + CONFIRM_WITHIN_MS;
  const sent = `${order.order} was sent to ${order.mapId}`;
  let outcome: Outcome = { line: sent, json: { obeyed: false, state: null } };
  while (shell.now() < deadline && !shell.interrupted.aborted) {
    const { status } = await findMap(server, order.mapId);
    if (status.name !== 'RUNNING') {
      return { line: `${order.mapId} has ended: ${status.name.toLowerCase()}`, json: { obeyed: true, state: 'ended' } };
    }
    const progress = await mapQueries(server).map(order.mapId);
    if (progress) {
      const { state, concurrency } = progress;
      if (order.obeyed(progress)) return { line: order.done(progress), json: { obeyed: true, state, concurrency } };
      outcome = { line: `${sent}; the map is ${state}`, json: { obeyed: false, state, concurrency } };
    } else {
      const { workerSeen, message } = await whyNoAnswer(server, order.mapId, shell.now());
      outcome = { line: `${sent}; ${message}`, json: { obeyed: false, state: null } };
      if (!workerSeen) return outcome;
    }
    await shell.pause(CONFIRM_POLL_MS);
  }
  return outcome;
}
