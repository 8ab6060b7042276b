// Waits a few seconds for the verdict on a map that was just started: admitted, or refused with its problems.
import { CONFIRM_POLL_MS, CONFIRM_WITHIN_MS } from '../contracts/limits';
import type { MapProgress } from '../contracts/results';
import { findMap } from './find-map';
import { type MapEnd, mapEnd } from './map-end';
import { mapQueries } from './map-queries';
import type { Server } from './server';
import type { Shell } from './shell';

export type Verdict =
  | { kind: 'admitted'; progress: MapProgress }
  | { kind: 'ended'; end: MapEnd }
  /** Not told in time: a large dataset is still being read, or no worker is there. */
  | { kind: 'open' };

export async function awaitVerdict(server: Server, shell: Shell, mapId: string): Promise<Verdict> {
  const deadline = shell.now() + CONFIRM_WITHIN_MS;
  while (shell.now() < deadline && !shell.interrupted.aborted) {
    const description = await findMap(server, mapId);
    if (description.status.name !== 'RUNNING') return { kind: 'ended', end: await mapEnd(server, description) };
    const progress = await mapQueries(server).map(mapId);
    // A refused map has another state too, for the moment before it ends.
    if (progress?.cardinality) return { kind: 'admitted', progress };
    await shell.pause(CONFIRM_POLL_MS);
  }
  return { kind: 'open' };
}
