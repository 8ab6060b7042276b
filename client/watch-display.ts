// Three ways to show a watched map: a screen that is redrawn, a log of lines, JSON lines.
import { WATCH_LINE_EVERY_MS } from '../contracts/limits';
import { clock } from './format';
import type { MapEnd } from './map-end';
import type { Snapshot } from './observe-map';
import { endLines } from './render-end';
import { changeKey, snapshotLine, snapshotLines } from './render-snapshot';
import { redraw } from './screen';
import { print, type Shell, tell } from './shell';

export interface WatchDisplay {
  progress(snapshot: Snapshot): void;
  /** Why there is no progress to show just now. */
  note(text: string): void;
  end(end: MapEnd): void;
}

export function watchDisplay(shell: Shell, json: boolean): WatchDisplay {
  if (json) return jsonLines(shell);
  return shell.isTerminal ? screen(shell) : lineLog(shell);
}

function screen(shell: Shell): WatchDisplay {
  let drawn = 0;
  let shown: string[] = [];
  const draw = (lines: string[]): void => {
    shell.out(redraw(drawn, lines, shell.columns()));
    drawn = lines.length;
  };
  return {
    progress: (snapshot) => {
      shown = snapshotLines(snapshot);
      draw(shown);
    },
    note: (text) => draw([...shown, text]),
    end: (end) => {
      draw([]);
      print(shell, ...endLines(end));
    },
  };
}

function lineLog(shell: Shell): WatchDisplay {
  let last = { key: '', atMs: 0 };
  const printOnce = (key: string, line: string): void => {
    if (key === last.key && shell.now() - last.atMs < WATCH_LINE_EVERY_MS) return;
    last = { key, atMs: shell.now() };
    print(shell, line);
  };
  return {
    progress: (snapshot) => printOnce(changeKey(snapshot), snapshotLine(snapshot)),
    note: (text) => printOnce(text, `${clock(shell.now(), shell.now())} ${text}`),
    end: (end) => print(shell, ...endLines(end)),
  };
}

function jsonLines(shell: Shell): WatchDisplay {
  const line = (document: object): void => print(shell, JSON.stringify(document));
  return {
    progress: (snapshot) => line({ type: 'progress', ...snapshot }),
    note: (text) => tell(shell, text),
    end: (end) => line({ type: 'end', ...end }),
  };
}
