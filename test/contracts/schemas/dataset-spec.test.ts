import type { DatasetOptions } from '../../../activities/datasets/options';
import { KEY_NORMALIZE, ON_DUPLICATE_KEY, SOURCE_ENCODINGS } from '../../../activities/datasets/options';
import { type DatasetSpec, datasetRules, datasetSpec } from '../../../contracts/schemas/dataset-spec';

// These two compile only while a spec can say what the reader understands, and the reader understands all that a spec can say.
const toOptions = (spec: DatasetSpec): DatasetOptions => spec;
const optionNames = (name: keyof DatasetOptions): keyof DatasetSpec => name;

test('the words of the spec are those of the dataset reader', () => {
  const { onDuplicateKey, keyNormalize, encoding } = datasetSpec.shape;
  expect(onDuplicateKey.unwrap().options).toEqual([...ON_DUPLICATE_KEY]);
  expect(keyNormalize.unwrap().element.options).toEqual([...KEY_NORMALIZE]);
  expect(encoding.unwrap().options).toEqual([...SOURCE_ENCODINGS]);
  expect([toOptions({ csv: 'a.csv' }), optionNames('csv')]).toEqual([{ csv: 'a.csv' }, 'csv']);
});

test.each(['https://u:p-word@files.example/a.csv', ['a.csv', 'HTTP://token@files.example/b.csv']])(
  'a URL with a user or a password is refused before it stands in a history: %j',
  (csv) => {
    const problems = datasetRules({ csv });
    expect(problems).toMatchObject([{ at: ['dataset', 'csv'] }]);
    expect(JSON.stringify(problems)).not.toMatch(/p-word|token/);
    expect(datasetRules({ csv: 'https://files.example/@a.csv' })).toEqual([]);
  },
);

test.each([
  'https://b.s3.example/a.csv?X-Amz-Expires=60&X-Amz-Signature=geheim',
  'https://a.blob.example/a.csv?sv=2024-11-04&sig=geheim',
  'HTTPS://files.example/a.csv?access%5Ftoken=geheim#top',
  'https://files.example/a.csv?page=1&key=geheim',
])('a URL with a parameter that opens its file is refused, and where to put it is said: %s', (csv) => {
  const [problem] = datasetRules({ csv });
  expect(problem).toMatchObject({ at: ['dataset', 'csv'], message: expect.stringContaining('csv: { env: NAME }') });
  expect(problem!.message).not.toContain('geheim');
});

test.each(['https://files.example/a.csv?format=csv&gid=0', 'https://files.example/token=/a.csv', 'sig=a.csv?sig=b'])(
  'a URL whose parameters only choose, and a path, may stand in a spec: %s',
  (csv) => expect(datasetRules({ csv })).toEqual([]),
);

test('a source may say where its URL lies', () => {
  for (const csv of [{ env: 'LEADS_URL' }, { file: '/run/secrets/leads-url' }]) {
    expect(datasetSpec.safeParse({ csv })).toMatchObject({ success: true, data: { csv } });
    expect(datasetRules({ csv })).toEqual([]);
  }
  expect(datasetSpec.safeParse({ csv: { url: 'https://files.example' } }).success).toBe(false);
});
