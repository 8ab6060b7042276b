// One column of a map spec: a tool call, a value, or a waterfall of tool calls.
import { z } from 'zod';
import { MAX_LEGS } from '../limits';
import { exactlyOne, expected, jsonValue, maxAgeSeconds, name, text, toolName } from './words';

const tool = toolName().describe('Tool to call, `<provider>.<tool>` as the provider file names it.');
const input = jsonValue().describe('Input of the tool. Text in {{ }} is JSONata over `row`, `cells` and `run`.');
const account = name().describe('Account of the provider; left out: `default`, or the only one the provider file has.');

const maxAge = maxAgeSeconds().exactOptional();

const legSpec = z.strictObject(
  { tool, input, account: account.exactOptional(), maxAgeSeconds: maxAge },
  expected('a leg { tool, input, account?, maxAgeSeconds? }'),
);

export const columnSpec = z
  .strictObject(
    {
      name: name().describe('Name of the cell: `cells.<name>` in later columns and the column of the table.'),
      tool: tool.exactOptional(),
      input: input.exactOptional(),
      account: account.exactOptional(),
      maxAgeSeconds: maxAge,
      value: jsonValue()
        .describe('A value without a call. Text in {{ }} is JSONata over `row`, `cells` and `run`.')
        .exactOptional(),
      waterfall: z
        .array(legSpec, expected('a list of legs { tool, input, account?, maxAgeSeconds? }'))
        .min(1, expected('at least one leg'))
        .max(MAX_LEGS, expected(`at most ${MAX_LEGS} legs`))
        .describe(
          'Tool calls in order: the next one runs when a leg missed or failed, never when its outcome is unknown.',
        )
        .exactOptional(),
      runIf: text('one expression such as "{{ $exists(cells.firm) }}"')
        .describe('One expression in {{ }}: the column runs only for rows where it is true by JSONata rules.')
        .exactOptional(),
    },
    expected('a column { name, tool and input | value | waterfall, runIf? }'),
  )
  .meta(exactlyOne('tool', 'value', 'waterfall'));

export type ColumnSpec = z.output<typeof columnSpec>;
export type LegSpec = z.output<typeof legSpec>;

/** The tool calls of a column in order: one for a tool column, null for a value column. */
export function legsOf(column: ColumnSpec): LegSpec[] | null {
  if (column.waterfall) return column.waterfall;
  if (column.tool === undefined) return null;
  const { tool, account, maxAgeSeconds } = column;
  const leg: LegSpec = { tool, input: column.input ?? null };
  if (account !== undefined) leg.account = account;
  if (maxAgeSeconds !== undefined) leg.maxAgeSeconds = maxAgeSeconds;
  return [leg];
}
