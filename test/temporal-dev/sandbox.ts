// A copy of the script in a temporary folder with a PATH of chosen tools, so that its tests decide what the machine has.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const CLI_CACHE = 'sluice/temporal-1.5.1/temporal';
// What the script may count on beside Node: a POSIX userland.
const USERLAND =
  'awk bash cat chmod curl dirname env grep gzip head lsof mkdir mktemp mv ps rm sh sleep tail tar tr uname'.split(' ');

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Last line of stdout and stderr as they came, which is what a CI log ends in. */
  readonly lastLine: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves when stdout has matched; rejects with all output when the script ends first. */
  printed(pattern: RegExp): Promise<void>;
}

export class Sandbox {
  readonly env: Record<string, string>;

  private constructor(readonly root: string) {
    this.env = { PATH: join(root, 'bin'), HOME: join(root, 'home'), TMPDIR: join(root, 'tmp') };
  }

  static async create(): Promise<Sandbox> {
    const sandbox = new Sandbox(await realpath(await mkdtemp(join(tmpdir(), 'sluice script '))));
    for (const folder of ['bin', 'home', 'tmp']) await mkdir(join(sandbox.root, folder));
    for (const name of ['temporal-dev.sh', 'scripts', '.ci']) {
      await cp(join(ROOT, name), join(sandbox.root, name), { recursive: true });
    }
    for (const tool of USERLAND) await sandbox.link(tool, whereIs(tool));
    await sandbox.link('node', process.execPath);
    return sandbox;
  }

  /** Path inside the sandbox. */
  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  get cachedCli(): string {
    return this.path('home/.cache', CLI_CACHE);
  }

  async link(name: string, target: string | undefined): Promise<void> {
    if (target !== undefined) await symlink(target, this.path('bin', name));
  }

  /** Removes a file or link, such as `bin/curl` to take a tool off the machine; never what a link points to. */
  unlink(path: string): Promise<void> {
    return rm(this.path(path));
  }

  /** Writes a new file inside the sandbox, executable when it begins with `#!`; a linked tool is replaced, never written through. */
  async write(path: string, text: string): Promise<void> {
    const file = resolve(this.root, path);
    await mkdir(dirname(file), { recursive: true });
    await rm(file, { force: true });
    await writeFile(file, text, { flag: 'wx' });
    if (text.startsWith('#!')) await chmod(file, 0o755);
  }

  /** Starts a script of the sandbox without stdin. */
  start(args: readonly string[], { script = 'temporal-dev.sh', cwd = this.root } = {}): Running {
    const child = spawn(this.path(script), args, { cwd, env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    let all = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
      all += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
      all += chunk;
    });
    const finished = new Promise<Finished>((done, failed) => {
      child.once('error', failed);
      child.once('close', (status) =>
        done({ status, stdout, stderr, lastLine: all.trimEnd().split('\n').at(-1) ?? '' }),
      );
    });
    const printed = (pattern: RegExp) =>
      new Promise<void>((done, failed) => {
        const look = () => pattern.test(stdout) && done();
        child.stdout.on('data', look);
        child.once('close', () => failed(new Error(`the script ended without printing ${pattern}:\n${all}`)));
        look();
      });
    return { child, finished, printed };
  }

  run(args: readonly string[], options: { script?: string; cwd?: string } = {}): Promise<Finished> {
    return this.start(args, options).finished;
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }
}

/** Text of a program that answers `--version` as the Temporal CLI does. */
export function fakeCli(version: string, server = '1.29.1'): string {
  return `#!/bin/sh\necho "temporal version ${version} (Server ${server}, UI 2.42.1)"\n`;
}

function whereIs(tool: string): string | undefined {
  try {
    return execFileSync('/bin/sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
