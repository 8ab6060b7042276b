// When a watched map prints: a line at a change and at least each five seconds, a redrawn screen, JSON lines.
import { watchDisplay } from '../../client/watch-display';
import { capturedShell } from './fixtures/captured-shell';
import { mapResult, NOW_MS, snapshot } from './fixtures/figures';

const END = { kind: 'result' as const, mapId: 'companies-june', result: mapResult() };

/** A display without a terminal whose clock the test sets. */
function lineLog() {
  const time = { nowMs: NOW_MS };
  const shell = capturedShell({ now: () => time.nowMs });
  return { time, shell, display: watchDisplay(shell, false), lines: () => shell.stdout().split('\n').length - 1 };
}

test('without a terminal an unchanged map prints again after thirty seconds', () => {
  const { time, display, lines } = lineLog();
  display.progress(snapshot());
  display.progress(snapshot({ takenAtMs: NOW_MS + 1000 }));
  expect(lines()).toBe(1);
  time.nowMs += 29_999;
  display.progress(snapshot());
  expect(lines()).toBe(1);
  time.nowMs += 1;
  display.progress(snapshot());
  expect(lines()).toBe(2);
});

test('without a terminal a change prints at once', () => {
  const { display, lines } = lineLog();
  display.progress(snapshot());
  display.progress(snapshot({ open: 40 }));
  display.note('no worker answers');
  expect(lines()).toBe(3);
});

test('on a terminal the screen is redrawn over itself, and a note joins what was shown', () => {
  const shell = capturedShell({ isTerminal: true });
  const display = watchDisplay(shell, false);
  display.progress(snapshot());
  display.note('no worker answers');
  expect(shell.stdout()).toContain('\u001b[2A\r\u001b[Jmap companies-june');
  display.end(END);
  expect(shell.stdout()).toContain('\u001b[3A\r\u001b[Jmap companies-june completed');
});

test('as JSON each look is one line, the last one of type end, and notes go to stderr', () => {
  const shell = capturedShell();
  const display = watchDisplay(shell, true);
  display.progress(snapshot());
  display.note('no worker answers');
  display.end(END);
  const documents = shell
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(documents.map((document) => document.type)).toEqual(['progress', 'end']);
  expect(documents[1].result.output.table).toEqual(['/data/companies.csv']);
  expect(shell.stderr()).toContain('no worker answers');
});
