// The row program of a TypeScript map: its return becomes the cells of the row.
import { CancelledFailure } from '@temporalio/workflow';
import type { Json } from '../contracts/outcomes';
import type { RowPlan } from '../contracts/plan';
import { asJson } from './as-json';
import type { Calls } from './calls';
import { definedMap } from './define-map';
import './maps';
import { rowContext } from './row-context';
import type { RowState } from './row-outcome';

/** Answers are kept as cells until the program returns, so that a row cut short still shows what was bought. */
export async function runTypeScript(
  map: string,
  plan: RowPlan,
  row: { [column: string]: Json },
  state: RowState,
  { calls, isCancelled }: { calls: Calls; isCancelled: () => boolean },
): Promise<void> {
  const program = definedMap(map);
  if (!program) throw new Error(`no map named ${map} is defined in workflows/maps`);
  const cells = await program(row, rowContext(plan, state, calls));
  if (isCancelled()) throw new CancelledFailure('the map returned after it was cancelled');
  if (cells === null || typeof cells !== 'object' || Array.isArray(cells)) {
    throw new Error(`the map must return an object of cells, got ${cells === null ? 'null' : typeof cells}`);
  }
  state.cells = Object.fromEntries(
    Object.entries(cells)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, asJson(value)]),
  );
}
