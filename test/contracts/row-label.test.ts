// What a row is called in the Temporal UI.
import { rowLabel } from '../../contracts/row-label';

const row = (input: Parameters<typeof rowLabel>[0]['input']) => ({ input, line: 7 });

test('a row is called by the values of its key, in the order of the key', () => {
  expect(rowLabel(row({ city: 'Bern', domain: 'a.example' }), ['domain', 'city'])).toBe('a.example · Bern');
  expect(rowLabel(row({ id: 4711 }), ['id'])).toBe('4711');
});

test('a row without a key, or with an empty one, is called by its line', () => {
  expect(rowLabel(row({ domain: 'a.example' }))).toBe('line 7');
  expect(rowLabel(row({ domain: null }), ['domain'])).toBe('line 7');
});

test('a label stays within what a server takes, in whole characters', () => {
  for (const text of ['a'.repeat(500), '𝔄'.repeat(300), `a${'𝔄'.repeat(300)}`]) {
    const label = rowLabel(row({ domain: text }), ['domain']);
    expect(Buffer.byteLength(JSON.stringify(label))).toBeLessThanOrEqual(400);
    expect(label).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  }
});
