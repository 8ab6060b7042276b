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

/** Calls of one row that a map buys anew at most; a TypeScript map decides on its calls when it runs. */
function callsOfRow({ program, force }: RowPlan, row: string): number | null {
  if (program.kind === 'typescript') return null;
  const calls = program.columns.flatMap(({ name, legs = [] }) => legs.map(({ tool }) => ({ column: name, row, tool })));
  return calls.filter((call) => isForced(force, call)).length;
}

export interface ForcedCalls {
  /** Looks at the rows of one page as they are admitted. */
  see(rows: readonly AdmittedRow[]): void;
  /** `W_FORCED: text` for the start and the summary; nothing when nothing is forced. Refuses keys that no row has. */
  warnings(): string[];
}

export function createForcedCalls(plan: RowPlan, { force: asked }: MapSpec): ForcedCalls {
  const { force } = plan;
  const missing = new Map((force?.rows ?? []).map((identity, index) => [identity, asked?.rows?.[index] ?? '']));
  let rowCount = 0;
  let calls: number | null = 0;
  return {
    see(rows) {
      if (!force) return;
      for (const { identity } of rows) {
        missing.delete(identity);
        if (force.rows && !force.rows.includes(identity)) continue;
        rowCount += 1;
        const more = callsOfRow(plan, identity);
        calls = calls === null || more === null ? null : calls + more;
      }
    },
    warnings() {
      if (!force) return [];
      if (missing.size > 0) {
        const keys = [...missing.values()].slice(0, 10).map((key) => JSON.stringify(key));
        const message = `no row has the key ${keys.join(', ')}; expected keys of the dataset`;
        throw refusal('INVALID_SPEC', [{ path: 'force.rows', message }]);
      }
      const what = calls === null ? 'the calls that they make' : `at most ${calls} calls`;
      return [`W_FORCED: ${rowCount} rows buy anew what earlier runs may have bought: ${what}`];
    },
  };
}
