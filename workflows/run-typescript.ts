// The row program of a TypeScript map: its return becomes the cells of the row.
import { CancelledFailure } from '@temporalio/workflow';
import type { Json } from '../contracts/outcomes';
import type { RowPlan } from '../contracts/plan';
import { normalizeResult, ResultError } from '../contracts/result-json';
import type { Calls } from './calls';
import { CellError } from './cell-error';
import { definedMap } from './define-map';
import './maps';
import { rowContext } from './row-context';
import type { RowState } from './row-outcome';

/** What JSON leaves out of an object. */
const ABSENT = ['undefined', 'function', 'symbol'];

/** The one time that a result becomes JSON: tables never see anything else, so a repeated writing gives equal bytes. */
function cellJson(column: string, value: unknown): Json {
  try {
    return normalizeResult(value).json;
  } catch (error) {
    throw error instanceof ResultError ? new CellError(column, error) : error;
  }
}

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
      .filter(([, value]) => !ABSENT.includes(typeof value))
      .map(([name, value]) => [name, cellJson(name, value)]),
  );
}
