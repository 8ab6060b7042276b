// Asks the worker's own admission code about a spec, in a process of its own: client/ may not import it, and needs no server this way.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CheckReport } from '../contracts/check-report';
import { CommandError } from './command-error';
import type { Shell } from './shell';

const PROGRAM = join(__dirname, '..', 'worker', 'check-main.ts');
/** Exit code of the program when its settings are wrong. */
const WRONG_SETTINGS = 2;

/** Provider files and relative paths are found as a worker with this environment and folder would find them. Ctrl-C ends the check. */
export async function runCheck(shell: Shell, spec: unknown, showRows: number): Promise<CheckReport> {
  const child = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), PROGRAM], {
    cwd: shell.cwd,
    env: { ...shell.env },
    signal: shell.interrupted,
    stdio: 'pipe',
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.end(JSON.stringify({ spec, showRows }));
  const [report, said, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (exitCode === 0) return JSON.parse(report) as CheckReport;
  if (exitCode === WRONG_SETTINGS)
    throw new CommandError('CONFIG_INVALID', said.trim().replace(/^CONFIG_INVALID: /, ''));
  throw new Error(`the check ended with ${exitCode}: ${said.trim() || 'it said nothing'}`);
}
