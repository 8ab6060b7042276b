// What was bought for a row travels with it into the next map, in a message that the server takes.
import { fitEarlier } from '../../activities/fit-earlier';
import { PAYLOAD_CHARACTERS } from '../../contracts/limits';
import type { AdmittedRow } from '../../contracts/plan';
import type { EarlierCall } from '../../contracts/redrive';
import { looksStored } from '../../contracts/stored-value';

const ROW: AdmittedRow = { identity: 'k:1', ordinal: 0, line: 2, input: { domain: 'a.example' } };

const bought = (column: string, characters: number): EarlierCall => ({
  entry: { column, tool: 'acme.company', provider: 'acme', account: 'default', holds: 0, attempts: 1, status: 'done' },
  value: 'x'.repeat(characters),
});

/** Fits the calls to the row; the values that went to the store, and what the row has now. */
async function fitted(earlier: EarlierCall[]) {
  const stored: number[] = [];
  const row = await fitEarlier(ROW, earlier, async (value) => {
    stored.push(String(value).length);
    return { $stored: { ref: 'values/a', digest: 'a', bytes: String(value).length, store: 'again' } };
  });
  return { row, stored };
}

test('what fits goes with the row as it is', async () => {
  const earlier = [bought('firm', 1000), bought('email', 20)];
  expect(await fitted(earlier)).toEqual({ row: { ...ROW, earlier }, stored: [] });
});

test('of twelve answers that each travel alone the largest go to the store, until the row fits', async () => {
  const sizes = Array.from({ length: 12 }, (_, n) => 200_000 + n);
  const { row, stored } = await fitted(sizes.map((size, n) => bought(`c${n}`, size)));
  expect(JSON.stringify(row).length).toBeLessThanOrEqual(PAYLOAD_CHARACTERS);
  expect(stored).toEqual([...sizes].reverse().slice(0, 10));
  expect(row.earlier?.map(({ entry: { column }, value }) => [column, looksStored(value ?? null)])).toEqual(
    sizes.map((_, n) => [`c${n}`, n >= 2]),
  );
});

test('a reference stays what it is, and a call without a value has none', async () => {
  const reference = { $stored: { ref: 'values/b', digest: 'b', bytes: 9_000_000 } };
  const { entry } = bought('miss', 0);
  const earlier = [{ entry, value: reference }, { entry }, bought('wide', PAYLOAD_CHARACTERS)];
  const { row, stored } = await fitted(earlier);
  expect(stored).toEqual([PAYLOAD_CHARACTERS]);
  expect(row.earlier?.slice(0, 2)).toEqual(earlier.slice(0, 2));
});
