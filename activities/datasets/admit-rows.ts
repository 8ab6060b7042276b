// The one pass over a dataset that decides which records become rows and counts all of them.
import type { Repetition } from '../../contracts/check-report';
import { WARNING_EXAMPLES } from '../../contracts/limits';
import type { DatasetCardinality } from './admission-types';
import { DatasetError } from './dataset-error';
import type { DatasetReader, SourceRecord } from './dataset-reader';
import { Examples } from './examples';
import { type IdentifiedRow, identifyRow, rowText } from './identify-row';
import { KeyWarnings } from './key-warnings';
import { lastWins, type PickWinner } from './last-occurrences';
import { Occurrences, type Repeat } from './occurrences';
import type { Pager } from './pager';
import { Places } from './places';
import type { RejectsFile } from './rejects-file';
import type { ResolvedOptions } from './resolve-options';

export interface AdmitRows {
  reader: DatasetReader;
  options: ResolvedOptions;
  pager: Pager;
  rejects: RejectsFile;
  rowBytes: number;
  limitRows: number;
}

export interface AdmittedRows {
  columns: string[];
  cardinality: DatasetCardinality;
  /** The first of the rows that repeat an earlier one, WARNING_EXAMPLES at most. */
  repeats: Repetition[];
  warnings: string[];
}

/** Admits rows in source order until the source or `limitRows` ends. Throws the first DatasetError that `onBadRecord` does not set aside. */
export async function admitRows({
  reader,
  options,
  pager,
  rejects,
  rowBytes,
  limitRows,
}: AdmitRows): Promise<AdmittedRows> {
  const winner: PickWinner =
    options.onDuplicateKey === 'last' ? await lastWins(reader, options, rowBytes) : async (first) => first;
  const stream = reader.read();
  const places = new Places();
  const occurrences = new Occurrences();
  const keys = new KeyWarnings(options.key ?? [], places);
  const conflicts = new Examples();
  const rejected = new Examples();
  const repeats: Repetition[] = [];
  const numbers = { sourceRows: 0, uniqueInputRows: 0, duplicateOccurrences: 0 };
  let limited = false;

  for await (const record of stream.records) {
    limited = numbers.uniqueInputRows >= limitRows;
    if (limited) break;
    numbers.sourceRows++;
    const place = places.of(record.cursor);
    const identified = await identifyOrReject(record, place);
    if (identified) await admit(identified, place);
  }
  await pager.flush();

  async function identifyOrReject(record: SourceRecord, place: number): Promise<IdentifiedRow | null> {
    try {
      return identifyRow(record, options, rowBytes);
    } catch (error) {
      const aside = error instanceof DatasetError && error.scope === 'row' && options.onBadRecord === 'reject';
      if (!aside) throw error;
      await rejects.add(record, error);
      rejected.add(`${places.text(place)} ${error.code}`);
      return null;
    }
  }

  async function admit(identified: IdentifiedRow, place: number): Promise<void> {
    const { row, digest, group, texts } = identified;
    if (texts) keys.noteValues(row.input, place);
    const repeat = group === null ? null : occurrences.add(group, digest, place);
    if (repeat) return countRepeat(repeat, place);
    if (texts) keys.noteKey(texts, row.identity, place, occurrences);
    numbers.uniqueInputRows++;
    await pager.add(rowText(await winner(identified)));
  }

  function countRepeat({ first, differs }: Repeat, place: number): void {
    if (isRefused(differs, options)) throw repeatRefusal(places, first, place, differs);
    numbers.duplicateOccurrences++;
    if (repeats.length < WARNING_EXAMPLES) repeats.push({ ...places.at(place), first: places.at(first), differs });
    if (differs) conflicts.add(`${places.text(place)} (first at ${places.text(first)})`);
  }

  const { columns, blank, warnings } = stream.report();
  return {
    columns: [...columns],
    repeats,
    cardinality: {
      ...numbers,
      rejectedRows: rejects.count,
      conflicts: conflicts.count,
      outputRows: null,
      rowIdentity: options.key ? 'key' : 'source_row',
      blank,
    },
    warnings: [
      ...warnings,
      ...keys.warnings(),
      ...conflicts.warning(
        `W_KEY_CONFLICT: rows repeat a key with other content; the ${options.onDuplicateKey} of each was kept`,
      ),
      ...(numbers.sourceRows === 0 ? ['W_NO_ROWS: the source has no rows, so the table will have none'] : []),
      ...rejected.warning(
        `W_REJECTED: ${rejects.count === 1 ? '1 record was' : `${rejects.count} records were`} set aside${rejects.where}`,
      ),
      ...(limited ? [`W_LIMITED: only the first ${limitRows} rows were admitted; the counts end there`] : []),
    ],
  };
}

const isRefused = (differs: boolean, { onDuplicateKey }: ResolvedOptions): boolean =>
  onDuplicateKey === 'error' || (onDuplicateKey === 'error-on-conflict' && differs);

function repeatRefusal(places: Places, first: number, again: number, differs: boolean): DatasetError {
  const content = differs ? ' but different content' : '';
  const message = `${places.pair(first, again)} have the same key${content}; remove one, or set onDuplicateKey: 'first' or 'last'`;
  return new DatasetError('E_KEY_CONFLICT', 'file', message, { lines: [places.at(first).line, places.at(again).line] });
}
