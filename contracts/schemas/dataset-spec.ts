// The dataset of a map spec: where the rows come from and how each one is identified.
import { z } from 'zod';
import { exactlyOne, expected, jsonValue, text } from './words';

const keyColumn = () => text('the name of a column');

export const datasetSpec = z
  .strictObject(
    {
      csv: text('the path of a CSV file')
        .describe('CSV file with a header; relative to the spec file, or to the worker’s data folder.')
        .exactOptional(),
      jsonl: text('the path of a JSON Lines file')
        .describe('JSON Lines file, one object a line; relative to the spec file, or to the worker’s data folder.')
        .exactOptional(),
      rows: z
        .array(
          z.record(z.string(), jsonValue(), expected('a row as an object { column: value }')),
          expected('a list of rows'),
        )
        .describe('The rows themselves, for small datasets.')
        .exactOptional(),
      key: z
        .union([keyColumn(), z.array(keyColumn()).min(1)], expected('the name of a key column or a list of names'))
        .describe('Column or columns that identify a row: the first row with a key wins.')
        .exactOptional(),
      rowIdentity: z
        .literal('source_row', expected('"source_row" (or the option key)'))
        .describe('Rows are told apart by position and content: equal rows stay separate. The default without a key.')
        .exactOptional(),
    },
    expected('a dataset { csv | jsonl | rows, key | rowIdentity }'),
  )
  .meta(exactlyOne('csv', 'jsonl', 'rows'));

export type DatasetSpec = z.output<typeof datasetSpec>;
