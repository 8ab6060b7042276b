// File names in a spec become absolute from the folder of the spec, and nothing else changes.

import { withFlags } from '../../client/spec-flags';
import { localFiles, withAbsolutePaths } from '../../client/spec-paths';

describe('withAbsolutePaths', () => {
  test('resolves dataset and output from the folder of the spec', () => {
    const raw = { dataset: { csv: '../in/a.csv', key: 'csv' }, output: { csv: 'out/a.csv', jsonl: 'out/a.jsonl' } };
    expect(withAbsolutePaths(raw, '/specs/june')).toEqual({
      dataset: { csv: '/specs/in/a.csv', key: 'csv' },
      output: { csv: '/specs/june/out/a.csv', jsonl: '/specs/june/out/a.jsonl' },
    });
  });

  test('leaves absolute paths, URLs and everything that is no file name as they are', () => {
    const raw = {
      name: 'a',
      dataset: { csv: '/in/a.csv' },
      output: { jsonl: 's3://bucket/a' },
      columns: [{ value: 'a.csv' }],
    };
    expect(withAbsolutePaths(raw, '/specs')).toEqual(raw);
    expect(withAbsolutePaths({ dataset: { rows: [] }, output: 7 }, '/specs')).toEqual({
      dataset: { rows: [] },
      output: 7,
    });
  });

  test('does not change the value that it was given', () => {
    const raw = { dataset: { csv: 'a.csv' } };
    withAbsolutePaths(raw, '/specs');
    expect(raw).toEqual({ dataset: { csv: 'a.csv' } });
  });
});

test('each path of a list of files is made absolute, URLs stay', () => {
  const raw = { dataset: { csv: ['a.csv', '/b.csv', 'https://host/c.csv'] } };
  expect(withAbsolutePaths(raw, '/specs')).toEqual({
    dataset: { csv: ['/specs/a.csv', '/b.csv', 'https://host/c.csv'] },
  });
});

describe('localFiles', () => {
  test('names the field and the path of a local file', () => {
    expect(localFiles({ dataset: { jsonl: '/in/a.jsonl' } })).toEqual([
      { field: 'dataset.jsonl', path: '/in/a.jsonl' },
    ]);
    expect(localFiles({ dataset: { csv: ['/a.csv', 'https://host/b.csv', '/c.csv'] } })).toEqual([
      { field: 'dataset.csv[0]', path: '/a.csv' },
      { field: 'dataset.csv[2]', path: '/c.csv' },
    ]);
  });

  test.each([[{ dataset: { rows: [] } }], [{ dataset: { csv: 'https://host/a.csv' } }], [{}], [null], ['text']])(
    'is empty where no local file is read: %j',
    (raw) => expect(localFiles(raw)).toEqual([]),
  );
});

describe('withFlags', () => {
  test('puts the limit and the permission to overwrite where the spec has them', () => {
    const raw = { name: 'a', limits: { other: 1 }, output: { csv: 'a.csv' } };
    expect(withFlags(raw, { limit: 20, overwrite: true })).toEqual({
      name: 'a',
      limits: { other: 1, rows: 20 },
      output: { csv: 'a.csv', overwrite: true },
    });
  });

  test('changes nothing without flags', () => {
    expect(withFlags({ name: 'a' }, {})).toEqual({ name: 'a' });
    expect(withFlags('not a spec', { limit: 1 })).toBe('not a spec');
  });
});
