// A spec file on disk becomes the argument of a map, or an error that names file, line and path.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandError } from '../../client/command-error';
import { loadSpec } from '../../client/load-spec';
import { useTemporaryFolder } from '../helpers/temporary-folder';

const folder = useTemporaryFolder();

const SPEC = `name: companies
dataset: { csv: companies.csv, key: domain }
columns:
  - { name: size, value: big }
output: { csv: out/companies.csv }
`;

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(folder(), name), text);
  return name;
}

function failureOf(work: () => unknown): CommandError {
  try {
    work();
  } catch (error) {
    return error as CommandError;
  }
  throw new Error('nothing was thrown');
}

test('paths become absolute from the folder of the spec, not from the working folder', async () => {
  await mkdir(join(folder(), 'specs'));
  await write('specs/companies.csv', 'domain\na.example\n');
  await write('specs/a.yaml', SPEC);
  const spec = loadSpec('specs/a.yaml', { limit: 5 }, folder());
  expect(spec.name).toBe('companies');
  expect(spec.argument).toMatchObject({
    dataset: { csv: join(folder(), 'specs/companies.csv') },
    output: { csv: join(folder(), 'specs/out/companies.csv') },
    limits: { rows: 5 },
  });
});

test('the argument holds what was authored, no defaults', async () => {
  await write('companies.csv', '');
  const { argument } = loadSpec(await write('a.yaml', SPEC), {}, folder());
  expect(Object.keys(argument as object)).toEqual(['name', 'dataset', 'columns', 'output']);
});

test('every problem is listed with line, column and path', async () => {
  const file = await write(
    'bad.yaml',
    'name: 7\ndataset: { rows: [] }\ncolumns:\n  - { name: size, valeu: 1 }\noutput: {}\n',
  );
  const failure = failureOf(() => loadSpec(file, {}, folder()));
  expect(failure).toMatchObject({ code: 'INVALID_SPEC', exitCode: 2 });
  const paths = failure.problems.map((problem) => problem.path);
  expect(paths).toContain('bad.yaml:1:7 name');
  expect(paths).toContain('bad.yaml:4:26 columns[0].valeu');
  expect(failure.lines.length).toBe(failure.problems.length + 1);
});

test('a dataset that does not exist is refused with its path and the line that names it', async () => {
  const failure = failureOf(() => loadSpec('a.yaml', {}, folder()));
  expect(failure.code).toBe('INVALID_SPEC');
  const file = await write('a.yaml', SPEC);
  expect(failureOf(() => loadSpec(file, {}, folder()))).toMatchObject({
    code: 'DATASET_UNREADABLE',
    message: `a.yaml:2:17 dataset.csv: ${join(folder(), 'companies.csv')} does not exist`,
  });
});

test('a folder in the place of the dataset or of the spec is said to be one', async () => {
  await mkdir(join(folder(), 'companies.csv'));
  const file = await write('a.yaml', SPEC);
  expect(failureOf(() => loadSpec(file, {}, folder())).message).toMatch(/companies\.csv is not a file/);
  expect(failureOf(() => loadSpec('companies.csv', {}, folder())).message).toMatch(/companies\.csv is a folder/);
});

test('a syntax error names its line', async () => {
  const file = await write('a.yaml', 'name: a\n  columns: []\n');
  const failure = failureOf(() => loadSpec(file, {}, folder()));
  expect(failure.problems[0]?.path).toMatch(/^a\.yaml:[12]:\d+$/);
});
