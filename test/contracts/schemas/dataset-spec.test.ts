import type { DatasetOptions } from '../../../activities/datasets/options';
import { KEY_NORMALIZE, ON_DUPLICATE_KEY, SOURCE_ENCODINGS } from '../../../activities/datasets/options';
import { type DatasetSpec, datasetSpec } from '../../../contracts/schemas/dataset-spec';

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
