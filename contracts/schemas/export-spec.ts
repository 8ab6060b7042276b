// The argument of an export: `{ map, to?, format?, overwrite? }`.
import { z } from 'zod';
import { TABLE_FORMATS } from '../export';
import { MAP_ID_PATTERN } from '../ids';
import { isObject, readBy } from './read-by';
import { expected, flag, oneOf, text } from './words';

const MAP_ID_RULE = expected('the id of a map');

const exportSpecSchema = z.strictObject(
  {
    map: z.string(MAP_ID_RULE).regex(MAP_ID_PATTERN, MAP_ID_RULE),
    to: text('the path of the file to write').exactOptional(),
    format: oneOf(...TABLE_FORMATS).exactOptional(),
    overwrite: flag().default(false),
  },
  expected('{ map, to?, format?, overwrite? }'),
);

export type ExportSpec = z.output<typeof exportSpecSchema>;

/** Reads the argument; lists every problem by path; throws nothing. */
export const parseExportSpec = (raw: unknown) =>
  readBy(exportSpecSchema, raw, () =>
    isObject(raw) && raw.format !== undefined && raw.to === undefined
      ? [
          {
            at: ['format'],
            message: 'format belongs to to: without it the outputs of the map are written as its spec says',
          },
        ]
      : [],
  );
