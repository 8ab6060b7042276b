// Starts a map and tells how it begins: what `sluice start` and `sluice redrive` have in common.
import { awaitVerdict, type Verdict } from './admission';
import { CommandError, problemLines } from './command-error';
import { EXIT } from './exit-codes';
import { livePollers } from './pollers';
import { exitCodeOfMapEnd } from './render-end';
import { nextLines, noWorkerLine, started, startedLines, verdictLines, verdictParts } from './render-start';
import type { Server } from './server';
import { print, printJson, type Shell, tell } from './shell';
import { startMap } from './start-map';
import type { CommonFlags } from './verb';
import { watchMap } from './watch-map';

export interface TellFlags extends CommonFlags {
  watch?: boolean;
  /** False with --no-wait. */
  wait: boolean;
}

/** Exit code of the start, or with --watch of the map. Throws MAP_EXISTS. */
export async function startAndTell(
  shell: Shell,
  server: Server,
  flags: TellFlags,
  { mapId, argument }: { mapId: string; argument: unknown },
): Promise<number> {
  const runId = await startMap(server, mapId, argument);
  const served = (await livePollers(server, shell.now())).length > 0;
  if (!served) tell(shell, noWorkerLine(server.taskQueue));
  if (flags.watch) {
    if (flags.json) print(shell, JSON.stringify({ type: 'started', ...started(server, mapId, runId, served) }));
    else print(shell, ...startedLines(server, mapId, runId), '');
    return watchMap(server, shell, mapId, flags.json === true);
  }
  const verdict: Verdict = flags.wait && served ? await awaitVerdict(server, shell, mapId) : { kind: 'open' };
  if (flags.json) printJson(shell, { ...started(server, mapId, runId, served), ...verdictParts(verdict) });
  return report(shell, flags, [...startedLines(server, mapId, runId), ...verdictLines(verdict)], mapId, verdict);
}

/** Prints a start and its verdict; a refused one goes to stderr, with its problems. */
function report(shell: Shell, flags: TellFlags, lines: string[], mapId: string, verdict: Verdict): number {
  if (verdict.kind === 'ended' && verdict.end.kind === 'failed') {
    const { code, message, problems } = verdict.end;
    tell(
      shell,
      ...(code === null
        ? [message, ...problemLines(problems, message)]
        : new CommandError(code, message, problems).lines),
    );
    return exitCodeOfMapEnd(verdict.end);
  }
  if (!flags.json) print(shell, ...lines, ...nextLines(mapId, flags));
  return EXIT.ok;
}
