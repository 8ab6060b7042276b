// A worker as a process of its own that can be killed like any other.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

export interface WorkerProcess {
  pid: number;
  /** Resolves with the exit code when the process is gone, however it ended. */
  gone: Promise<number | null>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<number | null>;
  /** SIGTERM; resolves with the exit code when the process is gone. */
  stop(): Promise<number | null>;
  /** What it has written to standard error so far. */
  log(): string;
}

const SHIPPED_WORKER = [join(ROOT, 'worker', 'sluice-worker.js')];

/**
 * Starts a worker and resolves when it serves its queues. Rejects with what it said when it ends before. `program`: arguments of Node,
 * default the worker that ships.
 */
export async function startWorkerProcess(
  environment: NodeJS.ProcessEnv,
  program: readonly string[] = SHIPPED_WORKER,
): Promise<WorkerProcess> {
  const child = spawn(process.execPath, ['--max-semi-space-size=4', ...program], {
    env: environment,
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (/^worker .* serves /m.test(said)) resolve();
    });
    child.once('error', reject);
    void gone.then(() => reject(new Error(`the worker ended: ${said.trim() || 'it said nothing'}`)));
  });
  const end = (signal: NodeJS.Signals) => () => {
    child.kill(signal);
    return gone;
  };
  return { pid: child.pid as number, gone, kill: end('SIGKILL'), stop: end('SIGTERM'), log: () => said };
}
