// Lists in the docs are complete: codes, options, settings, profiles, dependencies.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DATASET_ERROR_CODES } from '../../activities/datasets/dataset-error';
import { profileNames } from '../../activities/http/profiles/registry';
import {
  CALL_FAILURE_CODES,
  failureLine,
  MAP_FAILURE_CODES,
  OPERATOR_FAILURE_CODES,
  ROW_FAILURE_CODES,
} from '../../contracts/failures';
import { mapSpecSchema } from '../../contracts/schemas/map-spec';
import { providerFileSchema } from '../../contracts/schemas/provider-file';
import { anchorOf, codeSpansOf, headingsOf, proseOf, ROOT } from './markdown';

const FAILURE_CODES = [...CALL_FAILURE_CODES, ...ROW_FAILURE_CODES, ...MAP_FAILURE_CODES, ...OPERATOR_FAILURE_CODES];

function sourcesOf(folder: string): string {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
    .join('\n');
}

const firstCells = (page: string): string[] => [...proseOf(page).matchAll(/^\| `([^`]+)`/gm)].map(([, cell]) => cell!);

test('docs/errors.md has one heading for each failure code, in the order of the list, and no other code', () => {
  const codes = headingsOf('docs/errors.md').filter((heading) => /^[A-Z_]+$/.test(heading));
  expect(codes).toEqual(FAILURE_CODES);
});

test('the link in a failure leads to the anchor of its heading', () => {
  for (const code of FAILURE_CODES)
    expect(failureLine(code, 'x')).toBe(`${code}: x (docs/errors.md#${anchorOf(code)})`);
});

test('each failure says what, why and what to do', () => {
  const [, ...sections] = proseOf('docs/errors.md').split(/^### /m);
  const failures = sections.filter((section) => /^[A-Z_]+\n/.test(section));
  expect(failures).toHaveLength(FAILURE_CODES.length);
  for (const section of failures)
    expect(section).toMatch(/^[A-Z_]+\n\n\*\*What\.\*\* [\s\S]+\*\*Why\.\*\* [\s\S]+\*\*What to do\.\*\* /);
});

test('the tables of docs/errors.md have each code of a dataset, of an output and of a warning', () => {
  const outputs = ['E_OUTPUT_COLUMN_COLLISION', 'E_OUTPUT_COLUMN_UNKNOWN', 'E_SINK_IO', 'E_PG_IDENTIFIER_TOO_LONG'];
  const warnings = [...sourcesOf('activities').matchAll(/['`](W_[A-Z_]+):/g)].map(([, code]) => code!);
  const known = new Set([...DATASET_ERROR_CODES, ...outputs, ...warnings.filter((code) => code !== 'W_CODE')]);
  const listed = firstCells('docs/errors.md').filter((cell) => /^[EW]_/.test(cell));
  expect(listed.toSorted()).toEqual([...known].toSorted());
});

/** Names of the options of a schema, at every depth. */
function optionNames(schema: z.ZodType): string[] {
  const names = new Set<string>();
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), (_, part) => {
    for (const name of Object.keys(part?.properties ?? {})) names.add(name);
    return part;
  });
  return [...names].sort();
}

test.each([
  ['docs/write-a-map.md', mapSpecSchema],
  ['docs/add-a-provider.md', providerFileSchema],
] as const)('%s names every option of its format', (page, schema) => {
  const words = new Set(codeSpansOf(page).flatMap((span) => span.match(/\w+/g) ?? []));
  expect(optionNames(schema).filter((name) => !words.has(name))).toEqual([]);
});

test('docs/operate.md has every setting that worker/config.ts reads, and no other', () => {
  const settings = readFileSync(join(ROOT, 'worker/config.ts'), 'utf8').match(/SLUICE_[A-Z_]+/g) ?? [];
  const listed = firstCells('docs/operate.md').filter((cell) => cell.startsWith('SLUICE_'));
  expect(listed.toSorted()).toEqual([...new Set(settings)].toSorted());
});

test('docs/add-a-provider.md lists every throttle profile, and no other', () => {
  const section = proseOf('docs/add-a-provider.md').split('## Throttle profiles')[1]!.split('`throttle.rules`')[0]!;
  const table = section.slice(section.indexOf('| kind')).match(/`([^`]+)`/g) ?? [];
  expect(table.map((name) => name.slice(1, -1)).toSorted()).toEqual(profileNames);
});

test('docs/architecture.md gives a reason for every dependency, and for no other', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const section = proseOf('docs/architecture.md').split('## Dependencies')[1]!.split('\n## ')[0]!;
  const rows = [...section.matchAll(/^\| ([^|]+)\|/gm)].flatMap(([, cell]) => cell!.match(/`[^`]+`/g) ?? []);
  const listed = rows.map((name) => name.slice(1, -1));
  expect(listed.toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted());
});
