// Table as CSV: UTF-8, CRLF, header always, columns from a fixed list.
import { csvLine } from './csv-text';
import { fitColumns } from './fit-columns';
import type { Sink } from './sink';
import { openTextTable } from './text-table';

const BYTE_ORDER_MARK = '\ufeff';

export const csvSink: Sink = {
  format: 'csv',
  open(table) {
    const { columns, options: { formulaSafe = false, excel = false, extraColumn } = {} } = table;
    return openTextTable(table, {
      head: (excel ? BYTE_ORDER_MARK : '') + csvLine(columns, formulaSafe).text,
      line: (row) =>
        csvLine(
          fitColumns(row, columns, extraColumn).map((cell) => cell ?? null),
          formulaSafe,
        ),
    });
  },
};
