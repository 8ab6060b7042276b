// The dataset of a map spec: where the rows come from, how each one is identified, and how strictly the source is read.
import { z } from 'zod';
import { MAX_QUERY_PAGE_ROWS } from '../limits';
import type { LocatedProblem } from './read-by';
import { secretInUrl, USER_IN_URL } from './secret-in-url';
import { secretReference } from './secret-reference';
import { exactlyOne, expected, flag, jsonValue, oneOf, text, wholeNumber } from './words';

const keyColumn = () => text('the name of a column');
/** One path or several, or where a URL lies that gives the file to whoever has it. */
const files = (what: string) =>
  z.union(
    [text(what), z.array(text(what)).min(1, expected(what)), secretReference('a spec')],
    expected(`${what}, a list of them, or { env: NAME } or { file: PATH } of a URL`),
  );
const byteCount = () => wholeNumber(1, Number.MAX_SAFE_INTEGER);

const source = {
  csv: files('the path of a CSV file')
    .describe(
      'CSV file, or a list of files with the same columns, or URLs; relative to the spec file, or to the data folder of the worker. { env | file }: where a URL with a secret lies.',
    )
    .exactOptional(),
  jsonl: files('the path of a JSON Lines file')
    .describe(
      'JSON Lines file, one object a line, or a list of files, or URLs; relative to the spec file, or to the data folder of the worker. { env | file }: where a URL with a secret lies.',
    )
    .exactOptional(),
  rows: z
    .array(
      z.record(z.string(), jsonValue(), expected('a row as an object { column: value }')),
      expected('a list of rows'),
    )
    .describe('The rows themselves, for small datasets.')
    .exactOptional(),
  postgres: z
    .strictObject(
      {
        url: secretReference('a spec').describe('Where the URL lies: postgres://user:password@host:port/database.'),
        query: text('a query such as select * from companies').describe('One SELECT. It is run read-only.'),
        key: z
          .union(
            [keyColumn(), z.array(keyColumn()).min(1, expected('at least one key column'))],
            expected('the name of a column or a list of names'),
          )
          .describe('Columns that are never null and unique together: the rows are read along them, in their order.'),
        pageRows: wholeNumber(1, MAX_QUERY_PAGE_ROWS).describe('Rows of one query; default 5,000.').exactOptional(),
        snapshot: z
          .literal('repeatable-read', expected('"repeatable-read"'))
          .describe('All rows as of one moment, in one transaction that stays open while the rows are read.')
          .exactOptional(),
      },
      expected('{ url, query, key }'),
    )
    .describe('Rows of a PostgreSQL query, copied once when the map is admitted.')
    .exactOptional(),
};

const identity = {
  key: z
    .union(
      [keyColumn(), z.array(keyColumn()).min(1, expected('at least one key column'))],
      expected('the name of a key column or a list of names'),
    )
    .describe('Column or columns whose text identifies a row.')
    .exactOptional(),
  rowIdentity: z
    .literal('source_row', expected('"source_row" (or the option key)'))
    .describe('Rows are told apart by position and content: equal rows stay separate. The default without a key.')
    .exactOptional(),
  onDuplicateKey: oneOf('first', 'last', 'error-on-conflict', 'error')
    .describe('Two rows with one key: the first wins (default), the last wins, or the dataset is refused.')
    .exactOptional(),
  keyNormalize: z
    .array(oneOf('trim', 'nfc', 'casefold'), expected('a list of "trim", "nfc", "casefold"'))
    .describe('Applied to the key text before it is compared, always in the order trim, nfc, casefold. Default none.')
    .exactOptional(),
  dedupe: oneOf('none', 'content')
    .describe('Without a key: `content` merges equal rows. Default `none`.')
    .exactOptional(),
};

const badRecords = {
  onBadRecord: oneOf('fail', 'reject')
    .describe('A record that cannot be a row refuses the dataset (default), or goes to the rejects file.')
    .exactOptional(),
  maxRejects: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .describe('Rejected records that are allowed; one more refuses the dataset.')
    .exactOptional(),
};

const csvOptions = {
  delimiter: z
    .string(expected('one ASCII character or "auto"'))
    .regex(/^(?:auto|[\t\x20-\x7e])$/, expected('one ASCII character or "auto"'))
    .describe('Between two fields: one ASCII character, or `auto`, decided by the header record alone. Default `,`.')
    .exactOptional(),
  header: z
    .union([flag(), z.array(text('the name of a column')).min(1)], expected('true, false or a list of column names'))
    .describe('`true` (default): the first record names the columns; `false`: column_1, column_2, …; or the names.')
    .exactOptional(),
  duplicateHeaders: oneOf('error', 'suffix')
    .describe('Two columns of one name: refused (default), or numbered a, a_2.')
    .exactOptional(),
  quotes: oneOf('strict', 'lenient')
    .describe('A quote inside an unquoted field: an error of its row (default), or text.')
    .exactOptional(),
  ragged: oneOf('error', 'pad')
    .describe('Fewer or more fields than columns: an error of the row (default), or missing cells become null.')
    .exactOptional(),
  nullUnquotedEmpty: flag().describe('An unquoted empty cell is null. Default false: it is "".').exactOptional(),
  blankLines: oneOf('skip', 'row')
    .describe('A line of zero bytes is skipped (default), or a record with one empty field.')
    .exactOptional(),
  nul: oneOf('error', 'strip')
    .describe('A NUL character in a cell: an error of its row (default), or removed.')
    .exactOptional(),
  sepDirective: flag().describe('Honour `sep=;` on the first line. Default true.').exactOptional(),
  allowEmpty: flag().describe('A source without any record is zero rows instead of an error.').exactOptional(),
  maxFieldBytes: byteCount().describe('Largest field, in bytes.').exactOptional(),
};

const jsonOptions = {
  duplicateKeys: oneOf('error', 'last')
    .describe('A property name twice in one object: an error of its row (default), or the last one wins.')
    .exactOptional(),
  unsafeNumbers: oneOf('error', 'string')
    .describe('A number that JavaScript cannot hold exactly: an error of its row (default), or its text.')
    .exactOptional(),
  loneSurrogates: oneOf('error', 'replace')
    .describe('An unpaired surrogate: an error of its row (default), or U+FFFD.')
    .exactOptional(),
};

const fileOptions = {
  encoding: oneOf(
    'auto',
    'utf-8',
    'utf-16le',
    'utf-16be',
    'windows-1250',
    'windows-1251',
    'windows-1252',
    'iso-8859-1',
    'iso-8859-15',
  )
    .describe('`auto` (default): the byte order mark, else strict UTF-8; never a guess.')
    .exactOptional(),
  maxSourceBytes: byteCount().describe('Largest file, in bytes.').exactOptional(),
  maxDecompressedBytes: byteCount().describe('Largest file after decompression, in bytes.').exactOptional(),
  maxRecordBytes: byteCount().describe('Largest record, in bytes.').exactOptional(),
};

export const datasetSpec = z
  .strictObject(
    { ...source, ...identity, ...badRecords, ...csvOptions, ...jsonOptions, ...fileOptions },
    expected('a dataset { csv | jsonl | rows | postgres, key | rowIdentity }'),
  )
  .meta(exactlyOne('csv', 'jsonl', 'rows', 'postgres'));

export type DatasetSpec = z.output<typeof datasetSpec>;

/** Options that need another one, or exclude it: what the schema cannot say. `raw` is the dataset section, whatever its form. */
export function datasetRules(raw: object): LocatedProblem[] {
  const has = (name: string) => Object.hasOwn(raw, name);
  const problems: LocatedProblem[] = [];
  const sources = Object.keys(source).filter(has);
  if (sources.length !== 1) {
    const given = sources.length === 0 ? 'none' : sources.join(' and ');
    problems.push({
      at: ['dataset'],
      message: `expected exactly one of csv, jsonl, rows and postgres, found ${given}`,
    });
  }
  for (const option of ['csv', 'jsonl'] as const) problems.push(...secretUrlProblems(raw, option));
  const unless = (allowed: boolean, names: readonly string[], rule: string) => {
    if (allowed) return;
    for (const one of names.filter(has)) problems.push({ at: ['dataset', one], message: `${one} ${rule}` });
  };
  unless(!has('key'), ['rowIdentity', 'dedupe'], 'cannot be combined with key');
  const keyed = has('key') || (has('postgres') && !has('rowIdentity'));
  unless(keyed, ['onDuplicateKey', 'keyNormalize'], 'needs the option key');
  unless(has('onBadRecord'), ['maxRejects'], 'needs onBadRecord: reject');
  if (sources.length !== 1) return problems;
  unless(has('csv'), Object.keys(csvOptions), `is an option of csv, but the source is ${sources[0]}`);
  unless(!has('csv'), Object.keys(jsonOptions), 'is an option of jsonl, rows and postgres, but the source is csv');
  unless(
    has('csv') || has('jsonl'),
    Object.keys(fileOptions),
    `is an option of files, but the source is ${sources[0]}`,
  );
  return problems;
}

/** Before the map starts: its spec is the first thing in its history. */
function secretUrlProblems(raw: object, option: 'csv' | 'jsonl'): LocatedProblem[] {
  const paths: unknown[] = [Object.getOwnPropertyDescriptor(raw, option)?.value].flat();
  const found = paths
    .map((path) => (typeof path === 'string' ? secretInUrl(path) : null))
    .find((what) => what !== null);
  if (found === undefined) return [];
  const advice =
    found === USER_IN_URL ? '' : `; put the URL into a variable of the worker, and write ${option}: { env: NAME }`;
  const message = `expected a URL without ${found}: a spec stands in the history of its map for all to read${advice}`;
  return [{ at: ['dataset', option], message }];
}
