import { nameCells, namedCells } from '../../activities/cell-columns';

test('a cell of a TypeScript map never replaces a column of the source: it gets the next free name, and a warning', () => {
  const named = nameCells(['domain', 'size', '_status'], ['domain', 'domain_result']);
  expect(named.columns).toEqual(['domain_result_2', 'size', '_status_result']);
  expect(named.warnings).toEqual([
    expect.stringMatching(/^W_COLUMN_RENAMED: .*"domain".*"domain_result_2"/),
    expect.stringMatching(/^W_COLUMN_RENAMED: .*"_status".*"_status_result"/),
  ]);
  expect(namedCells({ domain: 1, size: 2 }, named)).toEqual({ domain_result_2: 1, size: 2 });
});

test('a cell takes no name that another cell has', () => {
  expect(nameCells(['domain', 'domain_result'], ['domain']).columns).toEqual(['domain_result_2', 'domain_result']);
});
