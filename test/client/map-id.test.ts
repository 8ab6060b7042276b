// Ids of maps: the default one and what a caller may choose.
import { checkedMapId, defaultMapId } from '../../client/map-id';
import { MAP_ID_PATTERN } from '../../contracts/ids';

test('the default id is the name and the moment of the start in UTC', () => {
  expect(defaultMapId('companies', Date.UTC(2025, 5, 1, 9, 8, 7))).toBe('companies-20250601-090807');
});

test('the default id of the longest name is still an id', () => {
  expect(defaultMapId('n'.repeat(63), Date.UTC(2025, 5, 1))).toMatch(MAP_ID_PATTERN);
});

test.each(['', '-first', 'with space', 'with/slash', 'x'.repeat(101)])('%j cannot be an id', (id) => {
  expect(() => checkedMapId(id)).toThrow(expect.objectContaining({ code: 'INVALID_MAP_ID', exitCode: 2 }));
});

test('an id that can be one is given back', () => {
  expect(checkedMapId('companies-june.2')).toBe('companies-june.2');
});
