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
