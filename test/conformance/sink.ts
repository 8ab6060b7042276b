// What every sink must do: any table writer, and beyond that any file. A format's test calls one of the two.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableRow, TableWriter } from '../../activities/sinks/sink';
import { openTable, type TableFormat } from '../../activities/sinks/table-formats';

const ROWS: TableRow[] = [
  { id: '1', note: 'plain' },
  { id: '2', note: 'Zürich 😀, "quoted"\r\nsecond line' },
  { id: '3', note: { nested: [1, 'y'] } },
];

/** One place that tables are written to, again and again. */
export interface TablePlace {
  /** A writer for the columns id and note, as the run `owner`. */
  open(owner: string): Promise<TableWriter>;
  /** What is to be seen in the place: equal for equal tables, null for none. */
  seen(): Promise<unknown>;
}

async function writeRows(writer: TableWriter, rows: readonly TableRow[] = ROWS): Promise<TableWriter> {
  for (const [ordinal, row] of rows.entries()) await writer.write(row, { identity: `k:${row.id}`, ordinal });
  return writer;
}

export function describeTableWriter(name: string, { open, seen }: TablePlace): void {
  describe(`table writer: ${name}`, () => {
    test('nothing is visible before the end, everything after it', async () => {
      const table = await writeRows(await open('run-1'));
      expect(await seen()).toBeNull();
      expect(await table.finish()).toMatchObject({ rows: ROWS.length, sanitized: 0 });
      expect(await seen()).not.toBeNull();
    });

    test('a retry writes the same and only confirms it', async () => {
      const first = await (await writeRows(await open('run-1'))).finish();
      const before = await seen();
      const { path, rows, bytes, sha256 } = first;
      expect(await (await writeRows(await open('run-1'))).finish()).toMatchObject({ path, rows, bytes, sha256 });
      expect(await seen()).toEqual(before);
    });

    test('an abort leaves nothing, at any moment and twice', async () => {
      const unused = await open('run-1');
      await unused.abort();
      const table = await writeRows(await open('run-1'));
      await table.abort();
      await table.abort();
      expect(await seen()).toBeNull();
    });

    test('an earlier try that goes on takes nothing away', async () => {
      const slow = await writeRows(await open('run-1'), ROWS.slice(0, 1));
      await (await writeRows(await open('run-1'))).finish();
      const before = await seen();
      await slow.finish().catch((error: unknown) => {
        expect(error).toMatchObject({ code: expect.stringMatching(/OUTPUT_EXISTS|E_SINK_IO/) });
      });
      expect(await seen()).toEqual(before);
    });

    test('more than one chunk of rows arrives whole', async () => {
      const many = Array.from({ length: 3000 }, (_, id) => ({ id: String(id), note: 'x'.repeat(200) }));
      expect(await (await writeRows(await open('run-1'), many)).finish()).toMatchObject({ rows: many.length });
    });
  });
}

export function describeSink(format: TableFormat, folder: () => string): void {
  const path = () => join(folder(), `out.${format}`);
  const open = (owner: string, overwrite = false, at = path()) =>
    openTable({ format, path: at, columns: ['id', 'note'], owner, overwrite });
  const writeAll = async (owner: string, rows = ROWS, overwrite = false) =>
    writeRows(await open(owner, overwrite), rows);

  describeTableWriter(format, {
    open,
    seen: async () => ((await readdir(folder())).length === 0 ? null : readFile(path()).catch(() => null)),
  });

  describe(`file sink: ${format}`, () => {
    test('a finished table is the one file of its folder', async () => {
      const written = await (await writeAll('run-1')).finish();
      expect(written).toMatchObject({ path: path(), bytes: (await readFile(path())).length });
      expect(await readdir(folder())).toEqual([`out.${format}`]);
    });

    test('an abort leaves no temporary file', async () => {
      await (await writeAll('run-1')).abort();
      expect(await readdir(folder())).toEqual([]);
    });

    test('the file of another run is kept unless overwrite is set, and replaced at the end only', async () => {
      await writeFile(path(), 'older');
      await expect((await writeAll('run-1')).finish()).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' });
      expect(await readFile(path(), 'utf8')).toBe('older');
      const table = await writeAll('run-1', ROWS, true);
      expect(await readFile(path(), 'utf8')).toBe('older');
      await table.finish();
      expect(await readFile(path(), 'utf8')).not.toBe('older');
      expect(await readdir(folder())).toEqual([`out.${format}`]);
    });

    test('what a crash left is removed by a retry of the same run, not by another run', async () => {
      const crashed = await writeAll('run-1');
      const other = await writeAll('run-2');
      expect(await readdir(folder())).toHaveLength(2);
      await (await writeAll('run-1')).finish();
      await other.finish();
      expect(await readdir(folder())).toEqual([`out.${format}`]);
      await crashed.abort();
    });

    test('missing folders are made, and a file in the way is named', async () => {
      const deep = join(folder(), 'a', 'b', 'out');
      await (await open('run-1', false, deep)).finish();
      expect(await readdir(join(folder(), 'a', 'b'))).toEqual(['out']);
      await writeFile(join(folder(), 'file'), '');
      const blocked = join(folder(), 'file', 'out');
      await expect(open('run-1', false, blocked)).rejects.toMatchObject({
        code: 'OUTPUT_UNWRITABLE',
        message: expect.stringContaining(blocked),
      });
    });
  });
}
