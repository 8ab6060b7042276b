// What a terminal shows of the demo: announcements stay, the screen of the watched map stays below them.
import { redraw } from '../../../client/screen';
import { demoShell } from '../../../examples/demo/demo-shell';

function shellOf(isTerminal: boolean) {
  const written: string[] = [];
  const terminal = { write: (text: string) => void written.push(text), isTerminal, columns: () => 40 };
  return { written, shell: demoShell(terminal, {}, new AbortController().signal) };
}

test('on a terminal an announcement replaces the screen and draws it again below, so that the next redraw hits it', () => {
  const { written, shell } = shellOf(true);
  shell.out(redraw(0, ['map a', 'rows 1'], 40));
  shell.announce('>>> killed', 'a line that is longer than the terminal is wide stays whole');
  expect(written.at(-1)).toBe(
    '\u001b[2A\r\u001b[J\n>>> killed\na line that is longer than the terminal is wide stays whole\n\nmap a\nrows 1\n',
  );
});

test('after the end of a map there is no screen to draw again', () => {
  const { written, shell } = shellOf(true);
  shell.out(redraw(0, ['map a'], 40));
  shell.out(redraw(1, [], 40));
  shell.out('map a completed\n');
  shell.announce('the ledger');
  expect(written.at(-1)).toBe('\u001b[J\nthe ledger\n\n');
});

test('in a log an announcement is lines like any other', () => {
  const { written, shell } = shellOf(false);
  shell.out('12:00:00 running\n');
  shell.announce('>>> killed');
  expect(written).toEqual(['12:00:00 running\n', '\n>>> killed\n']);
});
