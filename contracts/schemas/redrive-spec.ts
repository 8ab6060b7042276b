// The argument of a map that goes on with an earlier one: `{ redrive: { map, unknown?, output? } }`.
import { z } from 'zod';
import { MAP_ID_PATTERN } from '../ids';
import { outputSpec } from './map-spec';
import { isObject, readBy } from './read-by';
import { expected, flag } from './words';

const MAP_ID_RULE = expected('the id of an earlier map');

const redriveSpecSchema = z.strictObject(
  {
    redrive: z.strictObject(
      {
        map: z.string(MAP_ID_RULE).regex(MAP_ID_PATTERN, MAP_ID_RULE).describe('Id of the map to go on with.'),
        unknown: flag()
          .default(false)
          .describe('Run rows with an unknown outcome again too: what they asked for may be charged twice.'),
        output: outputSpec.describe('Other tables than those of the earlier map, which are replaced.').exactOptional(),
      },
      expected('{ map, unknown?, output? }'),
    ),
  },
  expected('{ redrive: { map, unknown?, output? } }'),
);

export type RedriveSpec = z.output<typeof redriveSpecSchema>['redrive'];

/** True for an argument that asks for a redrive, well written or not. */
export const asksForRedrive = (raw: unknown): boolean => isObject(raw) && 'redrive' in raw;

/** Reads the argument; lists every problem by path; throws nothing. */
export const parseRedriveSpec = (raw: unknown) => readBy(redriveSpecSchema, raw, () => []);
