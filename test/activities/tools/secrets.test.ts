import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveSecret } from '../../../activities/tools/secrets';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-secrets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a variable is taken as it is', async () => {
  expect(await resolveSecret({ env: 'KEY' }, { KEY: ' s\n' })).toBe(' s\n');
});

test.each([
  ['s\n', 's'],
  ['s\r\n', 's'],
  ['s\n\n', 's\n'],
  [' s ', ' s '],
])('a file loses one newline at its end and nothing else: %j', async (text, secret) => {
  const file = join(folder, 'key');
  await writeFile(file, text);
  expect(await resolveSecret({ file })).toBe(secret);
});

test('a rotated secret is used at once', async () => {
  const file = join(folder, 'key');
  await writeFile(file, 'old');
  expect(await resolveSecret({ file })).toBe('old');
  await writeFile(file, 'new');
  expect(await resolveSecret({ file })).toBe('new');
});

test.each([
  [
    { env: 'KEY' },
    {},
    'the secret { env: KEY } is not available: the variable is not set in the environment of the worker',
  ],
  [{ env: 'KEY' }, { KEY: '' }, 'the secret { env: KEY } is not available: it is empty'],
  [
    { file: '/nowhere/key' },
    {},
    'the secret { file: /nowhere/key } is not available: the file cannot be read (ENOENT)',
  ],
])('%j is not available', async (reference, environment, message) => {
  await expect(resolveSecret(reference, environment)).rejects.toMatchObject({
    code: 'SECRET_UNAVAILABLE',
    kind: 'rejected',
    message,
  });
});
