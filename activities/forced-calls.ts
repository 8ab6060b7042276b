// The calls that a map buys anew on purpose: their rows by identity, and how many they are, which is said before they are bought.
import { type Force, isForced } from '../contracts/force';
import type { AdmittedRow, RowPlan } from '../contracts/plan';
import type { MapSpec } from '../contracts/schemas/map-spec';
import { keyIdentity } from './datasets/identity';
import { normalizeKey } from './datasets/key-text';
import { refusal } from './refusal';

/** `force` of a spec with the keys of its rows as identities. */
export function forceOf({ dataset }: MapSpec, { columns, rows, tools }: NonNullable<MapSpec['force']>): Force {
  const steps = dataset.keyNormalize ?? [];
  const identities = rows?.map((key) => keyIdentity([normalizeKey(key, steps)]));
  return {
    ...(columns ? { columns } : {}),
    ...(identities ? { rows: identities } : {}),
    ...(tools ? { tools } : {}),
  };
}

/** Calls of one row that a map buys anew at most: not those that an earlier map of its redrives has bought. A TypeScript map decides on its calls when it runs. */
function callsOfRow({ program, force }: RowPlan, { identity: row, earlier = [] }: AdmittedRow): number | null {
  if (program.kind === 'typescript') return null;
  const isKept = (column: string, tool: string) =>
    earlier.some(({ entry }) => entry.receipt && entry.column === column && entry.tool === tool);
  const calls = program.columns.flatMap(({ name, legs = [] }) => legs.map(({ tool }) => ({ column: name, row, tool })));
  return calls.filter((call) => isForced(force, call) && !isKept(call.column, call.tool)).length;
}

const FORCED = 'W_FORCED: ';

/** Warnings of an earlier map without what it had to say of its own forced calls. */
export const withoutForced = (warnings: readonly string[]): string[] =>
  warnings.filter((warning) => !warning.startsWith(FORCED));

export interface ForcedCalls {
  /** Looks at the rows of one page as they are admitted. */
  see(rows: readonly AdmittedRow[]): void;
  /** `W_FORCED: text` for the start and the summary; nothing when nothing is forced. */
  warnings(): string[];
  /** Refuses keys that no row has. A redrive sees only some of the rows. */
  refuseMissing(): void;
}

export function createForcedCalls(plan: RowPlan, { force: asked }: MapSpec): ForcedCalls {
  const { force } = plan;
  const missing = new Map((force?.rows ?? []).map((identity, index) => [identity, asked?.rows?.[index] ?? '']));
  let rowCount = 0;
  let calls: number | null = 0;
  return {
    see(rows) {
      if (!force) return;
      for (const row of rows) {
        missing.delete(row.identity);
        if (force.rows && !force.rows.includes(row.identity)) continue;
        const more = callsOfRow(plan, row);
        if (more !== 0) rowCount += 1;
        calls = calls === null || more === null ? null : calls + more;
      }
    },
    warnings() {
      if (!force || rowCount === 0) return [];
      const what = calls === null ? 'the calls that they make' : `at most ${calls} calls`;
      return [`${FORCED}${rowCount} rows buy anew what earlier runs may have bought: ${what}`];
    },
    refuseMissing() {
      if (missing.size === 0) return;
      const keys = [...missing.values()].slice(0, 10).map((key) => JSON.stringify(key));
      const message = `no row has the key ${keys.join(', ')}; expected keys of the dataset`;
      throw refusal('INVALID_SPEC', [{ path: 'force.rows', message }]);
    },
  };
}
