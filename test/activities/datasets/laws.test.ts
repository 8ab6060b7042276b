import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { parseRecord } from '../../../activities/datasets/csv/record-parser';
import { CsvSplitter } from '../../../activities/datasets/csv/splitter';
import type { RawRecord } from '../../../activities/datasets/raw-record';
import { csvLine } from '../../../activities/sinks/csv-text';
import { acceptedRows, admissionError, admit, type DatasetRun } from '../../helpers/dataset-harness';
import { useTemporaryFolder } from '../../helpers/temporary-folder';

const folder = useTemporaryFolder();
const RUNS = { numRuns: 40 };

const cell = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0'));
const tricky = fc.oneof(
  cell,
  fc.constantFrom('', ' ', '"', ',', '\n', '\r\n', '\r', '""', '\ufeff', 'é😀', '\\.', 'sep=;', '\u2028'),
);
/** Rows of one width, 1 to 4 columns. */
const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.record({
    width: fc.constant(width),
    rows: fc.array(fc.array(fc.option(tricky), { minLength: width, maxLength: width }), { maxLength: 6 }),
  }),
);

const names = (width: number): string[] => Array.from({ length: width }, (_, at) => `c${at}`);
const written = (width: number, rows: (string | null)[][]): string =>
  [names(width), ...rows].map((cells) => csvLine(cells, false).text).join('');

async function runOf(content: string | Buffer, options: DatasetRun['dataset'] = {}): Promise<DatasetRun> {
  await writeFile(join(folder(), 'data.csv'), content);
  return { folder: folder(), dataset: { csv: 'data.csv', nullUnquotedEmpty: true, ...options } };
}

/** What is admitted, or the code of the error, with nothing that may depend on sizes. */
async function outcomeOf(run: DatasetRun): Promise<unknown> {
  return admit(run).then(
    ({ admitted, columns, cardinality, warnings }) => ({ admitted, columns, cardinality, warnings }),
    async () => {
      const { code, scope, at, message } = await admissionError(run);
      return { code, scope, at, message };
    },
  );
}

test('OUT-C16 reading what was written gives the rows back; in one column null and "" are one', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ width, rows }) => {
      const { admitted } = await admit(await runOf(written(width, rows)));
      const expected = rows.map((cells) => (width === 1 ? cells.map((text) => text ?? '') : cells));
      expect(admitted.map(({ input }) => names(width).map((name) => input[name]))).toEqual(expected);
    }),
    RUNS,
  );
});

test('any bytes give the same rows, counts and errors at every chunk size and page size', async () => {
  const soup = fc.array(fc.constantFrom('a', '1', ',', '"', '\n', '\r\n', '\r', ' ', 'é', '""', '\0'), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(
      soup,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 4 }),
      async (parts, chunkBytes, pageRows) => {
        const limits = { maxFieldBytes: 6, maxRecordBytes: 12 };
        const run = await runOf(parts.join(''), { onBadRecord: 'reject', duplicateHeaders: 'suffix', ...limits });
        expect(await outcomeOf({ ...run, chunkBytes, pageRows })).toEqual(await outcomeOf(run));
      },
    ),
    { numRuns: 120 },
  );
});

test('quoting, row ends, byte order mark and encoding leave identities and digests alone', async () => {
  const plain = fc.array(
    fc.array(fc.string({ unit: fc.constantFrom('a', 'é', 'ß', ' ', ',', '"') }), { minLength: 2, maxLength: 2 }),
    { minLength: 1, maxLength: 4 },
  );
  const quoteAll = (cells: string[]) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
  await fc.assert(
    fc.asyncProperty(plain, async (rows) => {
      const text = written(2, rows);
      const requoted = [names(2), ...rows].map(quoteAll).join('\n');
      const identities = async (content: string | Buffer, options = {}) =>
        (await acceptedRows(await runOf(content, { nullUnquotedEmpty: false, ...options }))).map(({ row, digest }) => [
          row.identity,
          digest,
        ]);
      const expected = await identities(text);
      expect(await identities(requoted)).toEqual(expected);
      expect(await identities(`\ufeff${requoted}\n`)).toEqual(expected);
      expect(await identities(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual(expected);
      expect(await identities(iconv.encode(text, 'windows-1252'), { encoding: 'windows-1252' })).toEqual(expected);
    }),
    { numRuns: 15 },
  );
});

test('with a key the order of the rows changes no identity, and the sums hold', async () => {
  const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', ' ', ''), fc.constantFrom('x', 'y')), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(
      rows.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      async ([list, shuffled]) => {
        const options = { key: 'c0', onBadRecord: 'reject' } as const;
        const first = await admit(await runOf(written(2, list), options));
        const second = await admit(await runOf(written(2, shuffled), options));
        const identities = (one: typeof first) => one.admitted.map(({ identity }) => identity).sort();
        expect(identities(second)).toEqual(identities(first));
        for (const { cardinality, pageRows } of [first, second]) {
          const { sourceRows, rejectedRows, uniqueInputRows, duplicateOccurrences, conflicts } = cardinality;
          expect(sourceRows).toBe(rejectedRows + uniqueInputRows + duplicateOccurrences);
          expect(conflicts).toBeLessThanOrEqual(duplicateOccurrences);
          expect(pageRows.reduce((sum, count) => sum + count, 0)).toBe(uniqueInputRows);
        }
      },
    ),
    RUNS,
  );
});

test('well-formed tables are read as csv-parse reads them', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ width, rows }) => {
      const text = written(width, rows);
      const { admitted } = await admit(await runOf(text, { nullUnquotedEmpty: false }));
      const expected: string[][] = parse(text, { record_delimiter: '\r\n' });
      expect(admitted.map(({ input }) => names(width).map((name) => input[name]))).toEqual(expected.slice(1));
    }),
    RUNS,
  );
});

test('reading from the place of any record gives that record and the later ones', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async ({ width, rows }, chunkBytes) => {
      const run = { ...(await runOf(written(width, rows))), chunkBytes };
      const all = await acceptedRows(run);
      for (const [at, { cursor }] of all.entries()) expect(await acceptedRows(run, cursor)).toEqual(all.slice(at));
    }),
    { numRuns: 20 },
  );
});

test('20,000 random tables are read as they were written, cut into pieces anywhere', () => {
  const read = (text: string, chunkBytes: number, width: number): (string | null)[][] => {
    const options = { quotes: 'strict', nul: 'error', nullUnquotedEmpty: true, delimiter: ',' } as const;
    const limits = { maxFieldBytes: 1000, maxRecordBytes: 10_000, delimiters: [','] };
    const start = { byteOffset: 0, line: 1, rowEnds: { style: 'undecided', lf: false, crlf: false } } as const;
    const splitter = new CsvSplitter({ ...options, ...limits }, structuredClone(start));
    const bytes = Buffer.from(text);
    const records: RawRecord[] = [];
    for (let at = 0; at < bytes.length; at += chunkBytes)
      records.push(...splitter.push(bytes.subarray(at, at + chunkBytes)));
    records.push(...splitter.end());
    const cells = records.map((record) => parseRecord(record.bytes.toString(), record.line, options));
    return cells.map((row) => (width === 1 ? row.map((cell) => cell ?? '') : row));
  };
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 40 }), ({ width, rows }, chunkBytes) => {
      const expected = width === 1 ? rows.map((cells) => cells.map((text) => text ?? '')) : rows;
      expect(read(written(width, rows), chunkBytes, width).slice(1)).toEqual(expected);
    }),
    { numRuns: 20_000 },
  );
});
