// What a worker answers to arguments, and that its help names every setting.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerToArguments, WORKER_HELP } from '../../worker/help';

test('without arguments it starts, --help explains, anything else is refused', () => {
  expect(answerToArguments([])).toBeNull();
  expect(answerToArguments(['--help'])).toEqual({ text: WORKER_HELP, exitCode: 0 });
  expect(answerToArguments(['--port', '7000'])).toMatchObject({
    exitCode: 2,
    text: expect.stringContaining('got --port'),
  });
});

test.each(['worker/help.ts', 'temporal-dev.sh'])('%s names every setting of the worker', (file) => {
  const root = join(__dirname, '../..');
  const settings = new Set(readFileSync(join(root, 'worker/config.ts'), 'utf8').match(/SLUICE_[A-Z_]+/g));
  const help = readFileSync(join(root, file), 'utf8');
  expect([...settings].filter((name) => !help.includes(`  ${name} `))).toEqual([]);
});
