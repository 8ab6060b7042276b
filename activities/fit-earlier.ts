// Makes a redriven row small enough for one message: the largest values that an earlier map bought for it go to the run store.
import { PAYLOAD_CHARACTERS } from '../contracts/limits';
import type { Json, StoredValue } from '../contracts/outcomes';
import type { AdmittedRow } from '../contracts/plan';
import type { EarlierCall } from '../contracts/redrive';
import { looksStored } from '../contracts/stored-value';

const charactersOf = (value: unknown): number => JSON.stringify(value).length;

/**
 * The row with its earlier calls, of whose values so many of the largest are replaced by what `store` gives that the rest fits into
 * PAYLOAD_CHARACTERS. Expressions see such a value as they see every answer that is too large for history: as a reference.
 */
export async function fitEarlier(
  row: AdmittedRow,
  earlier: readonly EarlierCall[],
  store: (value: Json) => Promise<StoredValue>,
): Promise<AdmittedRow> {
  const fitted = [...earlier];
  let characters = charactersOf({ ...row, earlier });
  const bySize = earlier
    .flatMap(({ value }, at) => (value === undefined || looksStored(value) ? [] : [{ at, size: charactersOf(value) }]))
    .sort((a, b) => b.size - a.size);
  for (const { at, size } of bySize) {
    if (characters <= PAYLOAD_CHARACTERS) break;
    const call = fitted[at] as EarlierCall;
    const value = await store(call.value as Json);
    fitted[at] = { ...call, value };
    characters += charactersOf(value) - size;
  }
  return { ...row, earlier: fitted };
}
