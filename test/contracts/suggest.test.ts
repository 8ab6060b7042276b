import { didYouMean, nearest } from '../../contracts/suggest';

const known = ['columns', 'concurrency', 'dataset', 'output', 'map'];

test.each([
  ['colums', 'columns'],
  ['Columns', 'columns'],
  ['ouptut', 'output'],
  ['datset', 'dataset'],
  ['concurency', 'concurrency'],
  ['mpa', 'map'],
])('%s is near %s', (typed, meant) => {
  expect(nearest(typed, known)).toBe(meant);
});

test.each(['x', 'row', 'colours of it', ''])('%j is near nothing', (typed) => {
  expect(nearest(typed, known)).toBeNull();
  expect(didYouMean(typed, known)).toBe('');
});

test('of two equally near names the first is proposed', () => {
  expect(didYouMean('rat', ['bat', 'cat'])).toBe(' (did you mean "bat"?)');
});
