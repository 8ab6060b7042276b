// Files beside the table, which have no columns: `lines`, one object a line, and `json`, one readable document.
import type { Sink } from './sink';
import { openTextTable } from './text-table';

export const linesSink: Sink = {
  format: 'lines',
  open: (table) =>
    openTextTable(table, { head: '', line: (row) => ({ text: `${JSON.stringify(row)}\n`, sanitized: 0 }) }),
};

export const jsonSink: Sink = {
  format: 'json',
  open: (table) =>
    openTextTable(table, { head: '', line: (row) => ({ text: `${JSON.stringify(row, null, 2)}\n`, sanitized: 0 }) }),
};
