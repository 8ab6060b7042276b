// What a verb may use of the process it runs in, handed in so that tests run verbs with their own streams and clock.
import { setTimeout as sleep } from 'node:timers/promises';
import { visible } from './visible';

export interface Shell {
  /** Data: the answer of the verb. */
  out(text: string): void;
  /** Words for a person where stdout is data. */
  err(text: string): void;
  /** Whether stdout can be redrawn; `columns` is its width. */
  isTerminal: boolean;
  columns(): number;
  env: { [name: string]: string | undefined };
  cwd: string;
  now(): number;
  /** Resolves after `ms`, or at once when the person interrupts. */
  pause(ms: number): Promise<void>;
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal;
}

/** The real process. The first Ctrl-C lets the verb end in order, the second one kills. */
export function processShell(): Shell {
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  // The reader of a pipe may leave early, as head does; there is nobody left to tell then.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    // Some pseudo-terminals claim a width of 0.
    columns: () => process.stdout.columns || 120,
    env: process.env,
    cwd: process.cwd(),
    now: Date.now,
    pause: (ms) => sleep(ms, undefined, { signal: interrupt.signal }).catch(() => undefined),
    interrupted: interrupt.signal,
  };
}

/** Prints lines to stderr, made {@link visible}. */
export const tell = (shell: Shell, ...lines: string[]): void => shell.err(`${visible(lines.join('\n'))}\n`);

/** Prints lines to stdout, made {@link visible}. */
export const print = (shell: Shell, ...lines: string[]): void => shell.out(`${visible(lines.join('\n'))}\n`);

/** Prints one JSON document to stdout. */
export const printJson = (shell: Shell, document: unknown): void => print(shell, JSON.stringify(document, null, 2));
