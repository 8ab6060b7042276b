// Follows a map to its end: a look each second, and patience with a missing worker or a server that restarts.
import { WATCH_GIVE_UP_MS, WATCH_REFRESH_MS } from '../contracts/limits';
import { EXIT } from './exit-codes';
import { findMap } from './find-map';
import { mapEnd } from './map-end';
import { whyNoAnswer } from './no-answer';
import { observeMap } from './observe-map';
import { exitCodeOfMapEnd } from './render-end';
import { isUnreachable, type Server } from './server';
import { type Shell, tell } from './shell';
import { watchDisplay } from './watch-display';

/** Exit code by how the map ended; 130 when the person interrupts. Throws MAP_NOT_FOUND, SERVER_UNREACHABLE. */
export async function watchMap(server: Server, shell: Shell, mapId: string, json: boolean): Promise<number> {
  const observer = observeMap(server, mapId, shell.now);
  const display = watchDisplay(shell, json);
  let reachedAtMs = shell.now();

  while (!shell.interrupted.aborted) {
    const startedAtMs = shell.now();
    try {
      const description = await findMap(server, mapId);
      if (description.status.name !== 'RUNNING') {
        const end = await mapEnd(server, description);
        display.end(end);
        return exitCodeOfMapEnd(end);
      }
      const snapshot = await observer.look();
      if (snapshot) display.progress(snapshot);
      else display.note((await whyNoAnswer(server, mapId, shell.now())).message);
      reachedAtMs = shell.now();
    } catch (error) {
      if (!isUnreachable(error) || shell.now() - reachedAtMs > WATCH_GIVE_UP_MS) throw error;
      display.note(`the server at ${server.address} does not answer; the map is safe there, trying again`);
    }
    await shell.pause(Math.max(0, startedAtMs + WATCH_REFRESH_MS - shell.now()));
  }
  tell(shell, `stopped watching; ${mapId} runs on`);
  return EXIT.interrupted;
}
