import { parse } from 'yaml';
import { z } from 'zod';
import { defineTool } from '../../../activities/tools/define-tool';
import { createHttpTool } from '../../../activities/tools/http-tool';
import type { LoadedProvider } from '../../../activities/tools/load-provider-files';
import { codeTools } from '../../../activities/tools/registry';
import { createToolRegistry } from '../../../activities/tools/tool-registry';
import { parseProviderFile } from '../../../contracts/schemas/provider-file';
import { ACME_YAML } from './provider-fixture';

function provider(change: object = {}): LoadedProvider {
  const reading = parseProviderFile({ ...(parse(ACME_YAML) as object), ...change }, 'acme.provider.yaml');
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { file } = reading;
  const tools = Object.entries(file.tools).map(([name, spec]) =>
    createHttpTool(file, name, spec, 'https://api.acme.example'),
  );
  return { path: 'acme.provider.yaml', file, tools };
}

const score = (name: string, of?: string) =>
  defineTool({
    name,
    ...(of === undefined ? {} : { provider: of }),
    effect: 'read',
    price: 0,
    version: '1',
    idempotent: true,
    input: z.any(),
    output: z.any(),
    secrets: { token: { env: 'TOKEN' } },
    run: async () => 1,
  });

const accounts = { eu: { secret: { env: 'EU' } }, us: { secret: { env: 'US' } } };

test('tools of files and of code are found by name', () => {
  const registry = createToolRegistry({ providers: [provider()], codeTools });
  expect(registry.names()).toEqual(['acme.company', 'local.text-normalize']);
  expect(registry.get('acme.company')).toMatchObject({ kind: 'http', price: 0.02 });
  expect(registry.get('local.text-normalize')).toMatchObject({ kind: 'code', accounts: ['default'] });
  expect(registry.get('acme.nothing')).toBeNull();
});

test('gates get one entry for each account, in milliseconds', () => {
  const facts = {
    provider: 'acme',
    rate: [
      { limit: 20, perMs: 1000 },
      { limit: 5000, perMs: 86_400_000 },
    ],
    units: [],
    concurrency: 10,
    giveUpAfterMs: 7_200_000,
    throttleProfile: 'generic',
  };
  expect(createToolRegistry({ providers: [provider({ accounts })], codeTools }).providers()).toEqual([
    { ...facts, account: 'eu', taskQueue: 'sluice.acme.eu' },
    { ...facts, account: 'us', taskQueue: 'sluice.acme.us' },
  ]);
});

test('windows of another unit are apart from those of requests, and a code tool has to say what its calls weigh', async () => {
  const limited = provider();
  limited.file.limits.rate = [
    { limit: 20, per: '1s' },
    { limit: 90_000, per: '1m', unit: 'tokens' },
  ];
  const weightless = () => createToolRegistry({ providers: [limited], codeTools: [score('score', 'acme')] });
  expect(weightless).toThrow('the limits of its provider count tokens; expected units');
  const registry = createToolRegistry({ providers: [limited], codeTools: [score('local-score')] });
  expect(registry.providers()).toMatchObject([
    { rate: [{ limit: 20, perMs: 1000 }], units: [{ unit: 'tokens', rate: [{ limit: 90_000, perMs: 60_000 }] }] },
  ]);
});

test('a provider without declared limits still has a gate, with the default patience', () => {
  const open = provider();
  open.file.limits = { rate: [] };
  delete open.file.giveUpAfter;
  expect(createToolRegistry({ providers: [open], codeTools: [] }).providers()).toMatchObject([
    { rate: [], concurrency: null, giveUpAfterMs: 86_400_000 },
  ]);
});

test('calls go to the queue of their provider, local ones to the main queue', () => {
  const registry = createToolRegistry({ providers: [provider()], codeTools: [...codeTools, score('score', 'acme')] });
  const queueOf = (name: string) => registry.taskQueue(registry.get(name)!, 'default');
  expect([queueOf('acme.company'), queueOf('acme.score'), queueOf('local.text-normalize')]).toEqual([
    'sluice.acme.default',
    'sluice.acme.default',
    'sluice',
  ]);
});

test('a code tool of a provider has its accounts, their secret and its own secrets', () => {
  const registry = createToolRegistry({ providers: [provider({ accounts })], codeTools: [score('score', 'acme')] });
  const tool = registry.get('acme.score')!;
  expect(tool.accounts).toEqual(['eu', 'us']);
  if (tool.kind !== 'code') throw new Error('expected a code tool');
  const names = ['account', 'token', 'other', 'constructor'];
  expect(names.map((name) => tool.secretReference(name, 'us'))).toEqual([{ env: 'US' }, { env: 'TOKEN' }, null, null]);
});

test('the account of a call that names none is default, or the only one', () => {
  const accountOf = (change: object) => {
    const registry = createToolRegistry({ providers: [provider(change)], codeTools: [] });
    return registry.defaultAccount(registry.get('acme.company')!);
  };
  expect(accountOf({})).toBe('default');
  expect(accountOf({ accounts: { eu: accounts.eu } })).toBe('eu');
  expect(accountOf({ accounts })).toBeNull();
});

test('two tools of one name and a code tool of a provider without a file are refused together', () => {
  const sources = { providers: [provider()], codeTools: [score('company', 'acme'), score('x', 'nobody')] };
  expect(() => createToolRegistry(sources)).toThrow(
    expect.objectContaining({
      code: 'PROVIDER_FILE_INVALID',
      problems: [
        { path: 'nobody.x', message: 'the provider nobody of this code tool has no file' },
        { path: 'acme.company', message: 'two tools have this name' },
      ],
    }),
  );
});
