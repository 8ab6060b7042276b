// What every run store must do. An adapter's test calls this with a factory of stores that share one place.

import type { Manifest, RunStore } from '../../activities/store/run-store';
import type { FinishInput } from '../../contracts/activity-io';
import type { AdmittedRow } from '../../contracts/plan';
import type { RowOutcome } from '../../contracts/results';

export const row = (ordinal: number): AdmittedRow => ({
  identity: `k:${ordinal}`,
  ordinal,
  line: ordinal + 2,
  input: { id: String(ordinal), city: 'Zürich 😀' },
});

export const outcome = (ordinal: number, cells: RowOutcome['cells'] = { size: ordinal }): RowOutcome => ({
  identity: `k:${ordinal}`,
  ordinal,
  status: 'done',
  cells,
  skipped: [],
  ledger: [],
});

const end: FinishInput = {
  mapId: 'm1',
  runId: 'run-1',
  status: 'cancelled',
  openedPages: 1,
  withoutResult: [{ page: 0, status: 'unknown' }],
  startedAtMs: 1,
  endedAtMs: 2,
  warnings: ['é'],
};

export const manifest = (runId: string): Manifest => ({
  mapId: 'm1',
  runId,
  spec: { name: 'companies' },
  specDigest: 'a'.repeat(64),
  spoolDigest: 'b'.repeat(64),
  columns: ['2', '1'],
  cardinality: {
    sourceRows: 2,
    rejectedRows: 0,
    uniqueInputRows: 2,
    duplicateOccurrences: 0,
    conflicts: 0,
    outputRows: null,
    rowIdentity: 'key',
    blank: 0,
  },
  pageRows: [2],
  warnings: [],
  createdAtMs: 1_700_000_000_000,
});

/** `open` answers a store over the same place each time it is called within one test: a second one stands for another process. */
export function describeRunStore(name: string, open: () => Promise<RunStore>): void {
  describe(`run store: ${name}`, () => {
    test('a map without a manifest is not admitted', async () => {
      expect(await (await open()).readManifest('m1')).toBeNull();
    });

    test('a manifest is recorded once: the same run gets the recorded one, another run MAP_EXISTS', async () => {
      const store = await open();
      await store.createManifest('m1', manifest('run-1'));
      const retried = await (await open()).createManifest('m1', { ...manifest('run-1'), createdAtMs: 5 });
      expect(retried).toEqual(manifest('run-1'));
      await expect(store.createManifest('m1', manifest('run-2'))).rejects.toMatchObject({
        code: 'MAP_EXISTS',
        message: expect.stringContaining('run-1'),
      });
      expect(await store.readManifest('m1')).toEqual(manifest('run-1'));
    });

    test('of runs that admit one map at the same time exactly one wins', async () => {
      const store = await open();
      const runs = Array.from({ length: 10 }, (_, index) => store.createManifest('m1', manifest(`run-${index}`)));
      const settled = await Promise.allSettled(runs);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('a page is read back as it was written, own __proto__ included', async () => {
      const store = await open();
      const odd = { ...row(1), input: JSON.parse('{"__proto__":{"x":1},"2":"b","1":"a"}') };
      await store.writePage('m1', 0, [row(0), odd]);
      const text = JSON.stringify(await (await open()).readPage('m1', 0));
      expect(text).toBe(JSON.stringify([row(0), odd]));
    });

    test('a page may be written anew until there is a manifest, then only as it is', async () => {
      const store = await open();
      await store.writePage('m1', 0, [row(0)]);
      await store.writePage('m1', 0, [row(0), row(1)]);
      await store.createManifest('m1', manifest('run-1'));
      await store.writePage('m1', 0, [row(0), row(1)]);
      await expect(store.writePage('m1', 0, [row(0)])).rejects.toMatchObject({ code: 'RESULTS_INCONSISTENT' });
      expect(await store.readPage('m1', 0)).toHaveLength(2);
    });

    test('a part that is written again is only confirmed, other bytes under its name are refused', async () => {
      const store = await open();
      const first = await store.writePart('m1', 0, 0, [outcome(0), outcome(1)]);
      expect(first).toMatchObject({ part: 0, rows: 2, bytes: expect.any(Number) });
      expect(await (await open()).writePart('m1', 0, 0, [outcome(0), outcome(1)])).toEqual(first);
      await expect(store.writePart('m1', 0, 0, [outcome(0)])).rejects.toMatchObject({ code: 'RESULTS_INCONSISTENT' });
      expect(await store.listParts('m1', 0)).toEqual([first]);
      expect(await store.readPart('m1', 0, 0)).toEqual([outcome(0), outcome(1)]);
    });

    test('bytes and outcomes of equal text are one part', async () => {
      const store = await open();
      const record = await store.writePart('m1', 0, 0, [outcome(0)]);
      const bytes = Buffer.from(`${JSON.stringify(outcome(0))}\n`);
      expect(await store.writePart('m1', 0, 0, bytes)).toEqual(record);
    });

    test('parts are listed by number, each page on its own', async () => {
      const store = await open();
      for (const part of [10, 2, 0]) await store.writePart('m1', 3, part, [outcome(part)]);
      await store.writePart('m1', 4, 1, [outcome(1)]);
      expect((await store.listParts('m1', 3)).map(({ part }) => part)).toEqual([0, 2, 10]);
      expect(await store.listParts('m1', 5)).toEqual([]);
    });

    test('a value is named by its digest, kept once and read back exactly', async () => {
      const store = await open();
      const json = JSON.stringify({ text: 'é😀'.repeat(1000) });
      const value = await store.putValue('m1', json);
      expect(await (await open()).putValue('m1', json)).toEqual(value);
      expect(value.$stored.bytes).toBe(Buffer.byteLength(json));
      expect(await store.getValue('m1', value.$stored.ref)).toBe(json);
    });

    test('a map has no end until it is recorded; the same one again changes nothing', async () => {
      const store = await open();
      expect(await store.readEnd('m1')).toBeNull();
      await store.writeEnd('m1', end);
      await store.writeEnd('m1', end);
      expect(await (await open()).readEnd('m1')).toEqual(end);
      expect(await store.readEnd('m2')).toBeNull();
    });

    test('an output belongs to the first map that claims it, until it gives it back or gives way', async () => {
      const store = await open();
      expect(await store.claimOutput('/out/é.csv', 'm1')).toBe('m1');
      expect(await (await open()).claimOutput('/out/é.csv', 'm1')).toBe('m1');
      expect(await store.claimOutput('/out/é.csv', 'm2')).toBe('m1');
      expect(await store.claimOutput('/out/other.csv', 'm2')).toBe('m2');
      await store.releaseOutput('/out/é.csv', 'm2');
      expect(await store.claimOutput('/out/é.csv', 'm2', 'm1')).toBe('m2');
      expect(await store.claimOutput('/out/é.csv', 'm3', 'm1')).toBe('m2');
      await store.releaseOutput('/out/é.csv', 'm2');
      expect(await store.claimOutput('/out/é.csv', 'm3', 'm1')).toBe('m3');
      await store.releaseOutput('/out/other.csv', 'm2');
      expect(await store.claimOutput('/out/other.csv', 'm3')).toBe('m3');
    });

    test('of several that take over a claim at once exactly one gets it', async () => {
      const store = await open();
      await store.claimOutput('/out/a.csv', 'lost');
      const rivals = await Promise.all([open(), open(), open(), open(), open(), open()]);
      const holders = await Promise.all(rivals.map((rival, at) => rival.claimOutput('/out/a.csv', `m${at}`, 'lost')));
      expect(new Set(holders).size).toBe(1);
      expect(await store.claimOutput('/out/a.csv', 'late', 'lost')).toBe(holders[0]);
    });

    test('what is not there is STORE_FAILED with its name', async () => {
      const store = await open();
      await expect(store.readPage('m1', 7)).rejects.toMatchObject({
        code: 'STORE_FAILED',
        message: expect.stringContaining('page 7'),
      });
      await expect(store.readPart('m1', 0, 9)).rejects.toMatchObject({
        code: 'STORE_FAILED',
        message: expect.stringContaining('part 9'),
      });
      const absent = `values/00/${'0'.repeat(64)}.json`;
      await expect(store.getValue('m1', absent)).rejects.toMatchObject({ code: 'STORE_FAILED' });
      await expect(store.getValue('m1', '../../etc/passwd')).rejects.toMatchObject({ code: 'STORE_FAILED' });
    });

    test('maps do not see each other, and an id that is a path is refused', async () => {
      const store = await open();
      await store.writePart('m1', 0, 0, [outcome(0)]);
      expect(await store.listParts('m2', 0)).toEqual([]);
      await expect(store.readManifest('../m1')).rejects.toMatchObject({ code: 'INVALID_MAP_ID' });
    });
  });
}
