// Columns of a table that cells fill: those of the spec, or for a TypeScript map all that its rows returned.
import type { FinishInput } from '../contracts/activity-io';
import type { Json, StoredValue } from '../contracts/outcomes';
import type { MapSpec } from '../contracts/schemas/map-spec';
import { resultColumns } from './plan-map';
import { presentRows } from './settled-rows';
import { freeName, STATUS_COLUMNS } from './sinks/table-columns';
import type { Manifest, RunStore } from './store/run-store';

export interface CellColumns {
  /** In order: of the spec, or as they appear. */
  columns: string[];
  /** Column of a cell. A cell of a TypeScript map never replaces a column of the source: it gets a name of its own. */
  columnOf(cell: string): string;
  /** `W_CODE: text` lines. */
  warnings: string[];
}

export async function cellColumns(
  store: RunStore,
  manifest: Manifest,
  end: FinishInput | null,
  spec: MapSpec,
): Promise<CellColumns> {
  const declared = resultColumns(spec);
  if (declared) return { columns: declared, columnOf: (cell) => cell, warnings: [] };
  const cells = new Set<string>();
  for await (const { outcome, earlierCells } of presentRows(store, manifest, end)) {
    for (const cell of Object.keys((outcome ?? earlierCells)?.cells ?? {})) cells.add(cell);
  }
  return nameCells([...cells], manifest.columns);
}

/** Names for the cells beside those of the source and the two that every table has. Pure. */
export function nameCells(cells: readonly string[], source: readonly string[]): CellColumns {
  const others = [...source, ...STATUS_COLUMNS];
  const taken = new Set([...others, ...cells]);
  const names = new Map<string, string>();
  const warnings: string[] = [];
  for (const cell of cells) {
    const name = others.includes(cell) ? freeName(`${cell}_result`, taken) : cell;
    taken.add(name);
    names.set(cell, name);
    if (name !== cell) {
      warnings.push(
        `W_COLUMN_RENAMED: the map returns a cell ${JSON.stringify(cell)}, which is a column already; it is the column ${JSON.stringify(name)} of the table`,
      );
    }
  }
  return { columns: [...names.values()], columnOf: (cell) => names.get(cell) ?? cell, warnings };
}

/** Cells under the names of their columns. */
export function namedCells<Cell extends Json | StoredValue>(
  cells: { [cell: string]: Cell },
  { columnOf }: CellColumns,
): { [column: string]: Cell } {
  return Object.fromEntries(Object.entries(cells).map(([cell, value]) => [columnOf(cell), value]));
}
