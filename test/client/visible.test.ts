// Nothing that a provider or a dataset says reaches a terminal as a command.
import { redraw } from '../../client/screen';
import { print, printJson, tell } from '../../client/shell';
import { visible } from '../../client/visible';
import { capturedShell } from './fixtures/captured-shell';

const HOSTILE = '\u001b]52;c;cm0gLXJm\u0007\u009b2J\rover\u202ertl';
const SHOWN = '\\u001b]52;c;cm0gLXJm\\u0007\\u009b2J\\u000dover\\u202ertl';

it('writes out escape sequences, carriage returns and turns of direction', () => {
  expect(visible(HOSTILE)).toBe(SHOWN);
});

it('leaves words of any language, emoji, tabs and line ends alone', () => {
  const text = 'Müller\tשלום\n日本 👩\u200d👧 e\u0301';
  expect(visible(text)).toBe(text);
});

it('guards every way that a verb prints', () => {
  const shell = capturedShell();
  print(shell, HOSTILE);
  tell(shell, HOSTILE);
  expect(shell.stdout()).toBe(`${SHOWN}\n`);
  expect(shell.stderr()).toBe(`${SHOWN}\n`);
  expect(redraw(0, [HOSTILE], 200)).toBe(`\u001b[J${SHOWN}\n`);
});

it('prints JSON that still says the same', () => {
  const shell = capturedShell();
  printJson(shell, { key: HOSTILE });
  expect(shell.stdout()).not.toContain('\u009b');
  expect(JSON.parse(shell.stdout())).toEqual({ key: HOSTILE });
});
