// What every sink must do. A format's test calls this.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableRow } from '../../activities/sinks/sink';
import { openTable, type TableFormat } from '../../activities/sinks/table-formats';

const ROWS: TableRow[] = [
  { id: '1', note: 'plain' },
  { id: '2', note: 'Zürich 😀, "quoted"\r\nsecond line' },
  { id: '3', note: { nested: [1, 'y'] } },
];

export function describeSink(format: TableFormat, folder: () => string): void {
  const path = () => join(folder(), `out.${format}`);
  const open = (owner: string, overwrite = false, at = path()) =>
    openTable({ format, path: at, columns: ['id', 'note'], owner, overwrite });
  const writeAll = async (owner: string, rows = ROWS, overwrite = false) => {
    const table = await open(owner, overwrite);
    for (const row of rows) await table.write(row);
    return table;
  };

  describe(`sink: ${format}`, () => {
    test('nothing is visible before the end, everything after it', async () => {
      const table = await writeAll('run-1');
      expect(await readdir(folder())).not.toContain(`out.${format}`);
      const written = await table.finish();
      const bytes = await readFile(path());
      expect(written).toMatchObject({ path: path(), rows: ROWS.length, bytes: bytes.length });
      expect(await readdir(folder())).toEqual([`out.${format}`]);
    });

    test('a retry writes equal bytes and only confirms them', async () => {
      const first = await (await writeAll('run-1')).finish();
      expect(await (await writeAll('run-1')).finish()).toEqual(first);
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

    test('an abort leaves nothing, at any moment and twice', async () => {
      const table = await writeAll('run-1');
      await table.abort();
      await table.abort();
      expect(await readdir(folder())).toEqual([]);
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

    test('an earlier try that goes on cannot put its half into place', async () => {
      const slow = await writeAll('run-1', ROWS.slice(0, 1));
      const written = await (await writeAll('run-1')).finish();
      await expect(slow.finish()).rejects.toMatchObject({ code: expect.stringMatching(/OUTPUT_EXISTS|E_SINK_IO/) });
      expect((await readFile(path())).length).toBe(written.bytes);
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
