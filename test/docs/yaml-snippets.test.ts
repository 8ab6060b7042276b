// Every YAML block of the docs is what it says it is: a spec, a provider file, or a part of one that fits into a whole.
import { parse } from 'yaml';
import { profileNames } from '../../activities/http/profiles/registry';
import { syntaxProblem } from '../../activities/tools/expressions';
import { parseMapSpec } from '../../contracts/schemas/map-spec';
import { parseProviderFile } from '../../contracts/schemas/provider-file';
import { parseTemplate, templateTexts } from '../../contracts/template';
import { parseOptions, providerSchema, simSchema } from '../../examples/provider-sim/options';
import { allBlocks, type Block } from './markdown';

type Document = { [name: string]: unknown };

const TOOL = { effect: 'read', price: 0, request: { method: 'GET', path: '/' } };
const PROVIDER: Document = { provider: 'acme', baseUrl: 'https://api.acme.example', tools: { company: TOOL } };
const MAP: Document = {
  name: 'base',
  dataset: { csv: 'base.csv', key: 'domain' },
  columns: [{ name: 'firm', value: 'x' }],
  output: { csv: 'base.out.csv' },
};

function problemsOfProvider(file: Document): unknown {
  const reading = parseProviderFile(file, 'snippet');
  if (!reading.ok) return reading.problems;
  const profile = reading.file.throttle.profile;
  return profileNames.includes(profile) ? [] : [`unknown profile ${profile}`];
}

function problemsOfMap(spec: Document): unknown {
  const reading = parseMapSpec(spec);
  return reading.ok ? [] : reading.problems;
}

function problemsOfSimulator(config: Document): unknown {
  const providers = Object.entries(config.providers as { [name: string]: Document }).map(([name, provider]) => {
    const { secret: _fromEnvironment, ...rest } = provider;
    parseOptions(providerSchema, rest, name);
    return [name, rest];
  });
  parseOptions(simSchema, { ...config, providers: Object.fromEntries(providers) }, 'simulator');
  return [];
}

const KINDS: { [kind: string]: (document: Document) => unknown } = {
  provider: problemsOfProvider,
  'provider-options': (part) => problemsOfProvider({ ...PROVIDER, ...part }),
  tool: (tool) => problemsOfProvider({ ...PROVIDER, tools: { snippet: tool } }),
  map: problemsOfMap,
  'map-options': (part) => problemsOfMap({ ...MAP, ...part }),
  column: (column) => problemsOfMap({ ...MAP, columns: [...(MAP.columns as unknown[]), column] }),
  simulator: problemsOfSimulator,
};

const blocks = allBlocks().filter(({ language }) => ['yaml', 'yml', 'json'].includes(language));
const named = blocks.map((block) => [`${block.page}:${block.line}`, block] as const);

test('the docs have snippets of every kind', () => {
  expect(new Set(blocks.map(({ kind }) => kind))).toEqual(new Set(Object.keys(KINDS)));
});

test.each(named)('%s holds what its fence says', (_, { kind, text }: Block) => {
  const check = KINDS[kind];
  if (!check) throw new Error(`the kind ${JSON.stringify(kind)} is none of ${Object.keys(KINDS).join(', ')}`);
  expect(check(parse(text) as Document)).toEqual([]);
});

test.each(named)('%s has only JSONata between its braces', (_, { text }: Block) => {
  const texts = [...templateTexts(parse(text))].flatMap(({ text: one }) => parseTemplate(one));
  const problems = texts.map((part) => (part.kind === 'expression' ? syntaxProblem(part.expression) : null));
  expect(problems.filter((problem) => problem !== null)).toEqual([]);
});
