// What all text formats share: lines into one output file, counted.
import { openOutputFile } from './output-file';
import type { OpenTable, TableRow, TableWriter } from './sink';

export interface TextFormat {
  /** Written before the first row; empty for none. */
  head: string;
  /** The text of one row, row end included. Throws OutputError of scope `row`. */
  line(row: TableRow): { text: string; sanitized: number };
}

/** A table writer over an output file. A row that cannot be written leaves no trace in it. */
export async function openTextTable({ path, owner, overwrite }: OpenTable, format: TextFormat): Promise<TableWriter> {
  const file = await openOutputFile({ path, owner, overwrite });
  let rows = 0;
  let sanitized = 0;
  await file.write(format.head);
  return {
    async write(row) {
      const line = format.line(row);
      await file.write(line.text);
      rows++;
      sanitized += line.sanitized;
    },
    finish: async () => ({ ...(await file.finish()), rows, sanitized }),
    abort: () => file.abort(),
  };
}
