import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProviderFiles } from '../../../activities/tools/load-provider-files';
import { ProviderFileError } from '../../../activities/tools/provider-file-error';
import { ACME_YAML } from './provider-fixture';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-providers-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const environment = { ACME_KEY: 'sk-hidden-1' };
const write = (name: string, text: string) => writeFile(join(folder, name), text);
const load = (variables: { [name: string]: string } = environment) =>
  loadProviderFiles({ folder, environment: variables });

async function problems(variables = environment as { [name: string]: string }): Promise<string[]> {
  const failure = await load(variables).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof ProviderFileError)) throw new Error(`expected a ProviderFileError, found ${failure}`);
  expect(failure.code).toBe('PROVIDER_FILE_INVALID');
  for (const { path } of failure.problems) expect(failure.message).toContain(path);
  return failure.problems.map(({ path, message }) => `${path}: ${message}`);
}

test('YAML and JSON files are read in order of their names, other files are left alone', async () => {
  await write('b.provider.json', ACME_YAML.replace('acme', 'yaml-is-more-than-json'));
  await write('a.provider.yaml', ACME_YAML);
  await write('c.provider.yml', JSON.stringify({ provider: 'open', baseUrl: 'https://o.example', tools: {} }));
  await write('README.md', 'not one');
  await write('provider.yaml', '{');
  const providers = await load();
  expect(providers.map(({ file }) => file.provider)).toEqual(['acme', 'yaml-is-more-than-json', 'open']);
  expect(providers[0]!.tools.map(({ name, baseUrl, timeoutMs }) => [name, baseUrl, timeoutMs])).toEqual([
    ['acme.company', 'https://api.acme.example', 5000],
  ]);
});

test('no file is no provider, no folder is a problem', async () => {
  expect(await load()).toEqual([]);
  await rm(folder, { recursive: true });
  expect(await problems()).toEqual([
    `${folder}: the folder cannot be read (ENOENT); expected a folder of *.provider.yaml files: start the worker in the folder above it, or name it with SLUICE_PROVIDERS`,
  ]);
});

test('all problems of all files come at once, each with its line', async () => {
  await write('a.provider.yaml', ACME_YAML.replace('effect: read', 'efect: read').replace('body.data', 'body.(data'));
  await write('b.provider.yaml', 'provider: b\nbaseUrl: [\n');
  await write('c.provider.yaml', 'provider: c\nprovider: d\n');
  await write('d.provider.yaml', '');
  const lines = await problems();
  expect(lines).toEqual([
    'a.provider.yaml:13 tools.company.effect: expected one of "read", "write", but it is missing',
    expect.stringMatching(
      /^a\.provider\.yaml:14 tools\.company\.efect: unknown option "efect" \(did you mean "effect"\?\)/,
    ),
    expect.stringMatching(
      /^a\.provider\.yaml:21 tools\.company\.response\.value: \{\{ body\.\(data \}\} is no JSONata: .+\(at character \d+/,
    ),
    expect.stringMatching(/^b\.provider\.yaml:3: /),
    expect.stringMatching(/^c\.provider\.yaml:2: .*unique/),
    expect.stringMatching(/^d\.provider\.yaml:1 \(document\): expected a provider file/),
  ]);
});

test('a folder in the place of a file is a problem', async () => {
  await mkdtemp(join(folder, 'x'));
  const { mkdir } = await import('node:fs/promises');
  await mkdir(join(folder, 'a.provider.yaml'));
  expect(await problems()).toEqual(['a.provider.yaml: the file cannot be read (EISDIR)']);
});

test('two files of one provider are a problem', async () => {
  await write('a.provider.yaml', ACME_YAML);
  await write('b.provider.yaml', ACME_YAML);
  expect(await problems()).toEqual([expect.stringContaining('the provider acme has a file already: ')]);
});

describe('secrets', () => {
  test('unset and unreadable ones of all files are told together, by file, account and reference', async () => {
    await write('a.provider.yaml', ACME_YAML);
    await write(
      'b.provider.yaml',
      ACME_YAML.replace('acme', 'other').replace('{ env: ACME_KEY }', '{ file: missing.key }'),
    );
    expect(await problems({})).toEqual([
      'a.provider.yaml:5 accounts.default.secret: the secret { env: ACME_KEY } is not available: the variable is not set in the environment of the worker',
      `b.provider.yaml:5 accounts.default.secret: the secret { file: ${join(folder, 'missing.key')} } is not available: the file cannot be read (ENOENT)`,
    ]);
  });

  test('a secret file is found from the folder of the provider file', async () => {
    await write('acme.key', 'from-file\n');
    await write('a.provider.yaml', ACME_YAML.replace('{ env: ACME_KEY }', '{ file: acme.key }'));
    const [provider] = await load({});
    expect(provider!.tools[0]!.secretOf('default')).toEqual({ file: join(folder, 'acme.key') });
    expect(JSON.stringify(provider)).not.toContain('from-file');
  });
});

describe('a base URL from the environment', () => {
  const yaml = ACME_YAML.replace('https://api.acme.example/', '{ env: ACME_URL }');

  test('is resolved at the start', async () => {
    await write('a.provider.yaml', yaml);
    const [provider] = await load({ ...environment, ACME_URL: 'http://127.0.0.1:9/v1/' });
    expect(provider!.tools[0]!.baseUrl).toBe('http://127.0.0.1:9/v1');
  });

  test.each([
    [{}, 'variable ACME_URL: it is not set in the environment of the worker'],
    [
      { ACME_URL: 'http://api.acme.example' },
      'variable ACME_URL: expected an https URL (http only for a loopback host)',
    ],
  ])('%j is a problem', async (variables, message) => {
    await write('a.provider.yaml', yaml);
    expect(await problems({ ...environment, ...variables })).toEqual([
      expect.stringContaining(`a.provider.yaml:2 baseUrl.env: ${message}`),
    ]);
  });
});

test('a throttle profile that does not exist is found when the worker starts, not at the first answer', async () => {
  await write('a.provider.yaml', `${ACME_YAML}\nthrottle: { profile: generik }\n`);
  expect(await problems()).toEqual([
    expect.stringMatching(
      /^a\.provider\.yaml:\d+ throttle\.profile: unknown throttle profile "generik" \(did you mean "generic"\?\); known are airtable, /,
    ),
  ]);
});

test('the message names its code and where to read on', async () => {
  await write('a.provider.yaml', '');
  const message = await load().catch((error: Error) => error.message);
  expect(message).toMatch(
    /^PROVIDER_FILE_INVALID: \d problems? in provider files \(docs\/errors\.md#provider_file_invalid\)\n {2}a\.provider/,
  );
});
