// Going on with a map that did not finish: what was bought is kept, only the rest is run, and the new table is whole.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MapResult } from '../../contracts/results';
import { sluice } from '../client/fixtures/captured-shell';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';
import { callColumns, statusesOf } from './look';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: {
      providers: {
        acme: { price: 0.02, missRate: 0, faults: [{ kind: 'miss', inputs: ['r3.example'] }] },
        flaky: {
          price: 0.01,
          missRate: 0,
          faults: [
            { kind: 'error-before-charge', inputs: ['r1.example'], times: 5 },
            { kind: 'error-before-charge', inputs: ['r4.example'], times: 10 },
          ],
        },
        hangs: { missRate: 0, faults: [{ kind: 'hang-after-charge', inputs: ['r0.example'], times: 1 }] },
        once: {
          missRate: 0,
          idempotency: false,
          faults: [{ kind: 'reset-after-charge', inputs: ['r0.example'], times: 1 }],
        },
      },
    },
    providers: { acme: {}, flaky: {}, hangs: {}, once: { idempotent: false, effect: 'write' } },
  });
  await lab.worker();
});
afterAll(() => lab.close());

const cli = (...args: string[]) =>
  sluice(args, { env: { TEMPORAL_ADDRESS: lab.address, TEMPORAL_NAMESPACE: lab.namespace }, cwd: lab.folder });

const resultOf = (mapId: string) => lab.client.workflow.getHandle(mapId).result() as Promise<MapResult>;

const tableOf = async (name: string): Promise<{ [column: string]: unknown }[]> =>
  (await readFile(join(lab.folder, 'out', `${name}.jsonl`), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const charges = (provider: string) => lab.sim.ledger.filter((entry) => entry.provider === provider && entry.charged);

const COLUMNS = [
  { name: 'firm', tool: 'acme.company', input: { domain: '{{ row.domain }}' } },
  { name: 'mail', tool: 'flaky.email', input: { domain: '{{ row.domain }}' } },
];

test('failed rows are run again until all have finished; cells that were bought are kept, and the source may be gone', async () => {
  await writeFile(
    join(lab.folder, 'firms.csv'),
    `domain\n${domainRows(6)
      .map(({ domain }) => `${domain}\n`)
      .join('')}`,
  );
  const map = await lab.start({ dataset: { csv: 'firms.csv', key: 'domain' }, columns: COLUMNS }, 'firms');
  expect((await map.result()).rows).toMatchObject({ done: 4, failed: 2 });
  await rm(join(lab.folder, 'firms.csv'));

  const first = await cli('redrive', 'firms', '--watch');
  expect(first.exitCode).toBe(3);
  expect(first.stdout).toContain('from firms  done 4\n');
  const again = await resultOf('firms-redrive-1');
  expect(again.rows).toMatchObject({ done: 5, failed: 1 });
  expect(again.from).toMatchObject({ firms: { done: 4 }, 'firms-redrive-1': { done: 1, failed: 1 } });
  expect(again.counts.columns.firm).toMatchObject({ executed: 0, reused: 6, cost: 0 });
  expect(again.counts.columns.mail).toMatchObject({ executed: 1, cost: 0.01 });

  expect((await cli('redrive', 'firms-redrive-1', '--watch')).exitCode).toBe(0);
  const last = await resultOf('firms-redrive-2');
  expect(last.rows).toMatchObject({ done: 6, failed: 0 });
  expect(last.cardinality).toMatchObject({ sourceRows: 6, uniqueInputRows: 6, outputRows: 6 });
  const table = await tableOf('firms');
  expect(table.map(({ domain }) => domain)).toEqual(domainRows(6).map(({ domain }) => domain));
  expect(table.map(({ firm }) => firm !== null)).toEqual([true, true, true, false, true, true]);
  expect(table.every(({ mail }) => mail !== null)).toBe(true);
  expect(charges('acme')).toHaveLength(5);
  expect(charges('flaky')).toHaveLength(6);

  const nothing = await cli('redrive', 'firms-redrive-2');
  expect(nothing.exitCode).toBe(2);
  expect(nothing.stderr).toContain('REDRIVE_REFUSED');
  expect(nothing.stderr).toContain('there is nothing to run again');
});

test('a call that was cancelled after it was sent goes out again under its billing id', async () => {
  const map = await lab.start(
    { dataset: { rows: domainRows(2), key: 'domain' }, columns: callColumns('hangs.company'), cancelGrace: '0s' },
    'cut',
  );
  await lab.sim.waitFor((entries) => entries.some(({ fault }) => fault === 'hang-after-charge'));
  await map.signal('cancel');
  expect((await map.result()).rows.cancelled).toBeGreaterThan(0);
  expect((await cli('redrive', 'cut', '--watch')).exitCode).toBe(0);
  const sent = lab.sim.ledger.filter(({ provider, input }) => provider === 'hangs' && input.domain === 'r0.example');
  expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  expect(lab.sim.summary().providers.hangs).toMatchObject({ duplicateCharges: 0 });
  expect(statusesOf(await tableOf('cut'))).toEqual({ done: 2 });
});

test('a row with an unknown outcome is run again only when a person says so', async () => {
  const map = await lab.start(
    { dataset: { rows: domainRows(2), key: 'domain' }, columns: callColumns('once.company') },
    'odd',
  );
  expect((await map.result()).rows).toMatchObject({ unknown: 1, done: 1 });
  expect(await map.failures()).toMatchObject([{ status: 'unknown', repairable: false }]);
  const refused = await cli('redrive', 'odd');
  expect(refused.stderr).toContain('--unknown');
  expect(refused.exitCode).toBe(2);
  expect((await cli('redrive', 'odd', '--unknown', '--id', 'odd-settled', '--watch')).exitCode).toBe(0);
  expect(statusesOf(await tableOf('odd'))).toEqual({ done: 2 });
});

test('a running map, an unknown one and a wrong argument are refused with what to do', async () => {
  const missing = await cli('redrive', 'nowhere');
  expect(missing.stderr).toContain('map nowhere is not in the run store');
  const handle = await lab.client.workflow.start('datasetMap', {
    workflowId: 'wrong',
    taskQueue: 'sluice',
    args: [{ redrive: { map: 'firms', unknwon: true } }],
  });
  const error = (await handle.result().catch((thrown: unknown) => thrown)) as { cause?: { message?: string } };
  expect(error.cause?.message).toContain('redrive.unknwon: unknown option "unknwon" (did you mean "unknown"?)');
});
