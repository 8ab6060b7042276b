// A disk that is full for one process: Linux refuses to let its files grow beyond a limit, which can be lifted while it runs.
import { spawnSync } from 'node:child_process';

/** Bytes that a file of the process may have; null lifts the limit. Files that are larger already stay readable. */
export function limitFileSize(pid: number, bytes: number | null): void {
  const limit = `${bytes ?? 'unlimited'}:unlimited`;
  const { status, stderr, error } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${limit}`], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`prlimit for ${pid}: ${error?.message ?? stderr}`);
}

/** Whether this machine can do so; where it cannot, it says so on stderr. */
export function canLimitFileSize(): boolean {
  const found = spawnSync('prlimit', ['--version']).status === 0;
  if (!found)
    process.stderr.write('SKIPPED: tests with a full disk, since prlimit (Debian package util-linux) is not here\n');
  return found;
}
