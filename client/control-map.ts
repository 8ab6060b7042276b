// Sends one order to a running map and looks for a few seconds whether the map obeys.
import { WorkflowNotFoundError } from '@temporalio/client';
import { CONFIRM_POLL_MS, CONFIRM_WITHIN_MS } from '../contracts/limits';
import type { MapProgress } from '../contracts/results';
import { connectionSettings } from './connection-settings';
import { EXIT } from './exit-codes';
import { findMap, findRunningMap } from './find-map';
import { mapQueries } from './map-queries';
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
  done(progress: MapProgress | null): string;
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

async function confirm(server: Server, shell: Shell, order: Order): Promise<{ line: string; json: object }> {
  const deadline = shell.now() + CONFIRM_WITHIN_MS;
  let seen: MapProgress | null = null;
  while (shell.now() < deadline && !shell.interrupted.aborted) {
    const { status } = await findMap(server, order.mapId);
    if (status.name !== 'RUNNING') {
      return { line: `${order.mapId} has ended: ${status.name.toLowerCase()}`, json: { obeyed: true, state: 'ended' } };
    }
    seen = await mapQueries(server).map(order.mapId);
    if (seen && order.obeyed(seen)) return { line: order.done(seen), json: { obeyed: true, ...stateOf(seen) } };
    await shell.pause(CONFIRM_POLL_MS);
  }
  const why = seen
    ? `the map is ${seen.state}`
    : 'no worker answers, the map obeys when one starts: ./temporal-dev.sh worker';
  return { line: `${order.order} was sent to ${order.mapId}; ${why}`, json: { obeyed: false, ...stateOf(seen) } };
}

const stateOf = (progress: MapProgress | null) => ({
  state: progress?.state ?? null,
  concurrency: progress?.concurrency ?? null,
});
