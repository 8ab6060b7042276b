// Table as JSON Lines: one object a row, properties in the order of the columns, absent ones left out.
import { fitColumns } from './fit-columns';
import type { Sink } from './sink';
import { openTextTable } from './text-table';

export const jsonlSink: Sink = {
  format: 'jsonl',
  open(table) {
    const { columns, options: { extraColumn } = {} } = table;
    const names = columns.map((column) => JSON.stringify(column));
    return openTextTable(table, {
      head: '',
      line: (row) => {
        const cells = fitColumns(row, columns, extraColumn);
        // Text by text, since an object would put a column "2" before a column "b".
        const members = cells.flatMap((cell, at) =>
          cell === undefined ? [] : [`${names[at]}:${JSON.stringify(cell)}`],
        );
        return { text: `{${members.join(',')}}\n`, sanitized: 0 };
      },
    });
  },
};
