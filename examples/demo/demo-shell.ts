// The terminal of the demo: what the command line shows, and announcements that stay above the screen which it redraws.
import { setTimeout as sleep } from 'node:timers/promises';
import { CLEAR_BELOW, redraw } from '../../client/screen';
import type { Shell } from '../../client/shell';

export interface DemoShell extends Shell {
  /** Shows lines at once; on a terminal above the screen, which is drawn again below them. */
  announce(...lines: string[]): void;
}

export interface DemoTerminal {
  write(text: string): void;
  isTerminal: boolean;
  columns(): number;
}

/** A shell for verbs that run in this process, with their own environment and end. */
export function demoShell(terminal: DemoTerminal, env: NodeJS.ProcessEnv, interrupted: AbortSignal): DemoShell {
  let screen = '';
  return {
    out(text) {
      const at = text.indexOf(CLEAR_BELOW);
      if (at >= 0) screen = text.slice(at + CLEAR_BELOW.length);
      terminal.write(text);
    },
    err: (text) => terminal.write(text),
    announce(...lines) {
      const drawn = terminal.isTerminal ? redraw(screen.split('\n').length - 1, [], terminal.columns()) : '';
      terminal.write(`${drawn}\n${lines.join('\n')}\n${terminal.isTerminal ? `\n${screen}` : ''}`);
    },
    isTerminal: terminal.isTerminal,
    columns: terminal.columns,
    env,
    cwd: process.cwd(),
    now: Date.now,
    pause: (ms) => sleep(ms, undefined, { signal: interrupted }).catch(() => undefined),
    interrupted,
  };
}

/** The terminal of this process. One that was closed takes no more text, and the demo still ends in order. */
export function processTerminal(): DemoTerminal {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return {
    write: (text) => void process.stdout.write(text),
    isTerminal: process.stdout.isTTY === true,
    columns: () => process.stdout.columns || 120,
  };
}
