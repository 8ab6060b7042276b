// The format of a map spec: dataset, columns or a TypeScript map, output, concurrency and limits.
import { z } from 'zod';
import type { Problem } from '../failures';
import {
  DEFAULT_CONCURRENCY_ROWS,
  DEFAULT_PARKED_ROWS,
  MAX_CANCEL_GRACE_MS,
  MAX_COLUMNS,
  MAX_CONCURRENCY_ROWS,
  MAX_FORCED_ROWS,
  MAX_PARKED_ROWS,
} from '../limits';
import { columnSpec } from './column-spec';
import { datasetSpec } from './dataset-spec';
import { mapSpecRules } from './map-spec-rules';
import { readBy } from './read-by';
import { secretReference } from './secret-reference';
import { durationText, exactlyOne, expected, flag, name, oneOf, text, toolName, wholeNumber } from './words';

export const outputSpec = z
  .strictObject(
    {
      csv: text('the path of the CSV table to write').describe('CSV table to write.').exactOptional(),
      jsonl: text('the path of the JSON Lines table to write').describe('JSON Lines table to write.').exactOptional(),
      postgres: z
        .strictObject(
          {
            url: secretReference('a spec').describe('Where the URL lies: postgres://user:password@host:port/database.'),
            table: text('the name of a table')
              .regex(/^[^.]+(\.[^.]+)?$/, expected('a table such as companies or crm.companies'))
              .describe('Table, with its schema where it needs one; created when it is missing.'),
            types: z
              .record(z.string(), text('a type such as date'), expected('types { column: type }'))
              .describe('Types of columns; the others are text for columns of a CSV, else jsonb.')
              .exactOptional(),
          },
          expected('{ url, table, types? }'),
        )
        .describe('PostgreSQL table to write: each row is found by its identity, and updated when it is there.')
        .exactOptional(),
      overwrite: flag().default(false).describe('Replace tables that exist already; without it they are refused.'),
      rows: oneOf('all', 'done')
        .default('all')
        .describe('`all`: every admitted row with its _status; `done`: only rows that finished.'),
      columns: z
        .array(text('the name of a column'), expected('a list of column names'))
        .min(1, expected('at least one column name'))
        .describe('Columns of the table in order; left out: the columns of the dataset, then those of the spec.')
        .exactOptional(),
      formulaSafe: flag()
        .describe('Guard CSV cells that a spreadsheet would run as formulas. Changes data, so it is off by default.')
        .exactOptional(),
      excel: flag().describe('CSV with a byte order mark, as Excel wants it.').exactOptional(),
    },
    expected('an output { csv, jsonl, postgres, overwrite?, rows?, columns? }'),
  )
  .meta({ anyOf: [{ required: ['csv'] }, { required: ['jsonl'] }, { required: ['postgres'] }] });

const concurrencySpec = z.strictObject(
  {
    rows: wholeNumber(1, MAX_CONCURRENCY_ROWS)
      .default(DEFAULT_CONCURRENCY_ROWS)
      .describe('Rows open at the same time.'),
    parkedRows: wholeNumber(0, MAX_PARKED_ROWS)
      .default(DEFAULT_PARKED_ROWS)
      .describe('Rows that may wait beyond them, open for longer than 30 s; 0 = none.'),
  },
  expected('{ rows, parkedRows }'),
);

export const mapSpecSchema = z
  .strictObject(
    {
      name: name().describe('Name of the map, shown in progress and in the summary.'),
      dataset: datasetSpec.describe('Where the rows come from.'),
      columns: z
        .array(columnSpec, expected('a list of columns'))
        .min(1, expected('at least one column'))
        .max(MAX_COLUMNS, expected(`at most ${MAX_COLUMNS} columns`))
        .describe('Columns in order; each sees the cells before it.')
        .exactOptional(),
      map: name().describe('Name of a TypeScript map, instead of columns.').exactOptional(),
      tools: z
        .array(toolName(), expected('a list of tool names'))
        .describe('Tools that the TypeScript map calls; checked when the map starts.')
        .exactOptional(),
      output: outputSpec.describe('Tables to write.'),
      concurrency: concurrencySpec.prefault({}).describe('How many rows are under way at the same time.'),
      limits: z
        .strictObject(
          {
            rows: wholeNumber(1, Number.MAX_SAFE_INTEGER)
              .describe('Only the first so many rows of the source.')
              .exactOptional(),
            maxCalls: wholeNumber(1, Number.MAX_SAFE_INTEGER)
              .describe('Calls that the map may make; then it pauses. Reused answers are free.')
              .exactOptional(),
            maxCost: z
              .number(expected('a number above 0'))
              .positive(expected('a number above 0'))
              .describe('What the map may spend, as a sum of prices; then it pauses.')
              .exactOptional(),
          },
          expected('{ rows, maxCalls, maxCost }'),
        )
        .default({})
        .describe('How much of the dataset is run, and what it may cost.'),
      force: z
        .strictObject(
          {
            columns: z.array(name(), expected('a list of columns')).describe('Calls of these columns.').exactOptional(),
            rows: z
              .array(text('a key as text'), expected('a list of keys'))
              .max(MAX_FORCED_ROWS, expected(`at most ${MAX_FORCED_ROWS} keys`))
              .describe('Calls of the rows with these keys.')
              .exactOptional(),
            tools: z.array(toolName(), expected('a list of tools')).describe('Calls of these tools.').exactOptional(),
          },
          expected('{ columns, rows, tools }, at least one of them'),
        )
        .describe(
          'Calls that buy anew although an earlier run has bought their answer. Each part that is there narrows it down; this map and its redrives buy each once.',
        )
        .exactOptional(),
      cancelGrace: durationText({ minMs: 0, maxMs: MAX_CANCEL_GRACE_MS })
        .describe('Time that paid or writing calls which were sent get to end after a cancel; default 30s.')
        .exactOptional(),
      onRowError: oneOf('isolate', 'fail')
        .default('isolate')
        .describe('`isolate`: a failed row is written as failed and the others go on; `fail`: it ends the map.'),
    },
    expected('a map spec { name, dataset, columns | map, output }'),
  )
  .meta({ title: 'Sluice map spec', ...exactlyOne('columns', 'map') });

/** A spec as it was written, with the defaults filled in: reading it once more changes nothing. */
export type MapSpec = z.output<typeof mapSpecSchema>;

export type MapSpecReading = { ok: true; spec: MapSpec } | { ok: false; problems: Problem[] };

/** Reads a spec from parsed JSON or YAML. Lists every problem by path, such as `columns[2].input.domain`; throws nothing. */
export function parseMapSpec(raw: unknown): MapSpecReading {
  const reading = readBy(mapSpecSchema, raw, mapSpecRules);
  return reading.ok ? { ok: true, spec: reading.value } : { ok: false, problems: reading.problems };
}
