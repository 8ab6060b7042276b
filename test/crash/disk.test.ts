// A disk that cannot be written: while parts are flushed and while the table is written. Nothing is bought twice, it is said, and the map goes on.
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sluice } from '../client/fixtures/captured-shell';
import { connectionOf } from '../helpers/command';
import { eventually } from '../helpers/eventually';
import { canLimitFileSize, limitFileSize } from '../helpers/file-size-limit';
import type { MapLab, MapSpecInput, StartedMap } from '../helpers/map-lab';
import { withCrashLab } from './crash-lab';

const ROWS = 4;
const KIB = 1024;
/** Large rows, whose cells alone are larger than CELLS_BYTES, and whose table is larger than all parts together. */
const SPEC: MapSpecInput = {
  dataset: {
    rows: Array.from({ length: ROWS }, (_, n) => ({ domain: `r${n}.example`, note: 'n'.repeat(100 * KIB) })),
    key: 'domain',
  },
  columns: [
    { name: 'firm', tool: 'keyless.company', input: { domain: '{{ row.domain }}' } },
    { name: 'text', value: "{{ $pad('x', 20000, 'y') }}" },
  ],
};
/** Rows whose outcomes are too large for history: each row writes its own to the run store. */
const STORED: MapSpecInput = {
  ...SPEC,
  columns: [
    { name: 'firm', tool: 'keyless.company', input: { domain: '{{ row.domain }}' } },
    { name: 'text', value: "{{ $pad('x', 40000, 'y') }}" },
  ],
};
const PARTS_BYTES = 10 * KIB;
/** Far more than it takes: the machine may be busy. */
const SEEN_WITHIN_MS = 120_000;
const TABLE_BYTES = 250 * KIB;

/** Admitted, and nothing started: what is broken now breaks the work of its rows. */
async function pausedMap(lab: MapLab, spec: MapSpecInput): Promise<StartedMap> {
  const map = await lab.start(spec);
  await map.signal('pause');
  await eventually(map.progress, ({ state }) => state === 'paused');
  return map;
}

/** What `sluice status` says of the activity that is tried again. */
const toldBy = (lab: MapLab, { mapId }: StartedMap, activity: string, whose = ''): Promise<string> =>
  eventually(
    async () => (await sluice(['status', mapId], { env: connectionOf(lab) })).stdout,
    (text) => text.includes(`${activity} of ${mapId}`) && text.includes(whose),
    SEEN_WITHIN_MS,
  );

/** Every row was asked once: the provider has no idempotency, so a second request would be a second charge. */
const requests = (lab: MapLab): number => lab.sim.ledger.length;

async function expectWhole(lab: MapLab, map: StartedMap, characters = 20_000): Promise<void> {
  expect(await map.result()).toMatchObject({ status: 'completed', cardinality: { outputRows: ROWS } });
  expect((await map.table()).map(({ domain, text }) => [domain, String(text).length])).toEqual(
    Array.from({ length: ROWS }, (_, n) => [`r${n}.example`, characters]),
  );
  const left = await readdir(join(lab.folder, 'out'));
  expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
}

(canLimitFileSize() ? test : test.skip)(
  'a full disk while parts are flushed, then while the table is written, then another worker',
  () =>
    withCrashLab({ limits: {}, sim: { missRate: 0 } }, async (lab) => {
      const full = await lab.workerProcess();
      const map = await pausedMap(lab, SPEC);
      limitFileSize(full.pid, PARTS_BYTES);
      await map.signal('resume');
      expect(await toldBy(lab, map, 'writeResults')).toMatch(
        /writeResults of .*\/p0 failed and is tried again .*EFBIG/,
      );
      limitFileSize(full.pid, TABLE_BYTES);
      const told = await toldBy(lab, map, 'finishMap');
      expect(told).toMatch(/\.jsonl could not be written: EFBIG.*Every row is kept; .*sluice export .* --to <path>/);
      expect(requests(lab)).toBe(ROWS);
      await full.kill();
      await lab.worker();
      await expectWhole(lab, map);
      expect(requests(lab)).toBe(ROWS);
    }),
  300_000,
);

test(
  'a folder that cannot be written, of the parts and of the table: the table can be had elsewhere meanwhile',
  () =>
    withCrashLab({ limits: {}, sim: { missRate: 0 } }, async (lab) => {
      await lab.worker();
      const map = await pausedMap(lab, SPEC);
      const parts = join(lab.folder, '.sluice/runs', map.mapId, 'parts');
      const out = join(lab.folder, 'out');
      await rename(out, `${out}.away`);
      // Nobody creates a file there, not even root.
      for (const path of [parts, out]) await symlink('/sys', path);
      await map.signal('resume');
      await toldBy(lab, map, 'writeResults');
      await rm(parts);
      const told = await toldBy(lab, map, 'finishMap');
      expect(told).toMatch(/out\/.* cannot be written: E.*expected a folder that this process may write to/);
      await mkdir(join(lab.folder, 'elsewhere'));
      const { exitCode } = await sluice(['export', map.mapId, '--to', 'elsewhere/table.jsonl'], {
        env: connectionOf(lab),
        cwd: lab.folder,
      });
      expect(exitCode).toBe(0);
      await rm(out);
      await rename(`${out}.away`, out);
      await expectWhole(lab, map);
      const both = ['elsewhere/table.jsonl', `out/${map.mapId}.jsonl`].map((path) =>
        readFile(join(lab.folder, path), 'utf8'),
      );
      expect(new Set(await Promise.all(both)).size).toBe(1);
      expect(requests(lab)).toBe(ROWS);
    }),
  300_000,
);

test(
  'a store that takes no outcome of a row, then a file in the place of the table: it stays as it is, and the map ends when it is moved away',
  () =>
    withCrashLab({ limits: {}, sim: { missRate: 0 } }, async (lab) => {
      await lab.worker();
      const map = await pausedMap(lab, STORED);
      const path = join(lab.folder, 'out', `${map.mapId}.jsonl`);
      await writeFile(path, 'mine\n');
      const values = join(lab.folder, '.sluice/runs', map.mapId, 'values');
      await symlink('/sys', values);
      await map.signal('resume');
      expect(await toldBy(lab, map, 'storeRowResult', `and ${ROWS - 1} others`)).toMatch(
        /failing {2}storeRowResult of \S+\/r\/\S+ and 3 others failed and is tried again \(try \d+\): /,
      );
      const { stdout } = await sluice(['doctor'], { env: connectionOf(lab) });
      expect(stdout).toMatch(/ACTION {3}storeRowResult of \S+\/r\//);
      await rm(values);
      expect(await toldBy(lab, map, 'finishMap')).toContain(
        `${map.mapId}.jsonl exists with other content; move it away`,
      );
      expect(await readFile(path, 'utf8')).toBe('mine\n');
      await rm(path);
      await expectWhole(lab, map, 40_000);
      expect(requests(lab)).toBe(ROWS);
    }),
  300_000,
);
