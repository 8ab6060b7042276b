// The rows of a map as its table has them: what was authored, the cells under the names of their columns, status and error.
import type { Json } from '../contracts/outcomes';
import type { RowOutcome, RowStatus } from '../contracts/results';
import type { MapSpec } from '../contracts/schemas/map-spec';
import { type CellColumns, cellColumns, namedCells } from './cell-columns';
import type { EndedMap, PresentRow } from './settled-rows';
import type { TableRow, TableWriter } from './sinks/sink';
import { tableColumns } from './sinks/table-columns';
import { loadCells } from './store/page-outcomes';
import type { RunStore } from './store/run-store';

/** `_status` of a row that has no outcome yet; no row ends with it. */
const PENDING = 'pending';

export interface TableShape {
  /** All columns of the table in order. */
  columns: string[];
  cells: CellColumns;
  /** `done`: only rows that finished. */
  rows: MapSpec['output']['rows'];
}

export async function tableShape(
  store: RunStore,
  { manifest, end }: Omit<EndedMap, 'end'> & { end: EndedMap['end'] | null },
): Promise<TableShape> {
  const spec = manifest.spec as unknown as MapSpec;
  const cells = await cellColumns(store, manifest, end, spec);
  const columns = tableColumns(spec.output.columns ?? [...manifest.columns, ...cells.columns], []);
  return { columns, cells, rows: spec.output.rows };
}

export const isFinished = (status: RowStatus): boolean =>
  status === 'done' || status === 'missed' || status === 'skipped';

const errorText = (error: RowOutcome['error']): string | null => (error ? `${error.code}: ${error.message}` : null);

/** Writes the rows in order into each of the tables and answers how many it wrote; `see` is told of every row, also of those that the table leaves out. */
export async function writeRows<Row extends PresentRow>(
  rows: AsyncIterable<Row>,
  tables: readonly TableWriter[],
  { store, shape, see }: { store: RunStore; shape: TableShape; see(row: Row): Promise<void> },
): Promise<number> {
  let written = 0;
  for await (const present of rows) {
    const { row, outcome, mapId } = present;
    const held = outcome ?? present.earlierCells;
    await see(present);
    if (shape.rows === 'done' && !(outcome && isFinished(outcome.status))) continue;
    const all: TableRow = {
      ...row.input,
      ...(held ? namedCells(await loadCells(store, mapId, held), shape.cells) : {}),
      _status: outcome?.status ?? PENDING,
      _error: errorText(outcome?.error),
    };
    const wanted = Object.fromEntries(
      shape.columns.flatMap((column) => (Object.hasOwn(all, column) ? [[column, all[column] as Json]] : [])),
    );
    for (const table of tables) await table.write(wanted, row);
    written += 1;
  }
  return written;
}
