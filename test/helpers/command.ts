// Runs the command lines that people use, as processes of their own: `sluice` and `temporal`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { temporalCliPath } from './dev-server';
import type { MapLab } from './map-lab';

export interface CommandEnd {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

type Environment = { [name: string]: string | undefined };

export function runCommand(
  file: string,
  args: readonly string[],
  options: { cwd?: string; environment?: Environment } = {},
): Promise<CommandEnd> {
  const { cwd, environment = {} } = options;
  const child = spawn(file, args, { cwd, env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  const end: CommandEnd = { exitCode: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    end.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    end.stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ ...end, exitCode }));
  });
}

type Place = Pick<MapLab, 'address' | 'namespace' | 'folder'>;

/** Where the lab's server is, said by environment alone. */
export const connectionOf = ({ address, namespace }: Place): Environment => ({
  TEMPORAL_ADDRESS: address,
  TEMPORAL_NAMESPACE: namespace,
});

/** `sluice <args>` in the lab's folder. */
export const sluiceCommand = (
  lab: Place,
  args: readonly string[],
  environment: Environment = {},
): Promise<CommandEnd> =>
  runCommand(process.execPath, [join(__dirname, '../../client/sluice.js'), ...args], {
    cwd: lab.folder,
    environment: { ...connectionOf(lab), ...environment },
  });

/** `temporal <args>` in the lab's folder. */
export const temporalCommand = async (lab: Place, args: readonly string[]): Promise<CommandEnd> =>
  runCommand(await temporalCliPath(), args, { cwd: lab.folder, environment: connectionOf(lab) });
