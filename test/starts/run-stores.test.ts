// One map and several run stores: a worker with another one buys nothing, and two machines that share a database run it together.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { QUERY } from '../../contracts/names';
import type { OpenRow, RowHolds } from '../../contracts/results';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';
import { describeWithPostgres } from '../helpers/postgres';

jest.setTimeout(180_000);

const SPEC = {
  dataset: { rows: domainRows(6), key: 'domain' },
  columns: ['company', 'email'].map((tool) => ({
    name: tool,
    tool: `acme.${tool}`,
    input: { domain: '{{ row.domain }}' },
  })),
};

async function withLab<Result>(use: (lab: MapLab) => Promise<Result>): Promise<Result> {
  const lab = await openMapLab({
    sim: { seed: 7, providers: { acme: { price: 0.01 } } },
    providers: { acme: { limits: { concurrency: 2 } } },
    environment: { SLUICE_HEARTBEAT_TIMEOUT: '3s', SLUICE_LEASE_TTL: '3s' },
  });
  try {
    return await use(lab);
  } finally {
    await lab.close();
  }
}

/** Bytes of the table of an undisturbed run with these settings of its workers. */
const tableOf = (...workers: { [name: string]: string }[]) =>
  withLab(async (lab) => {
    await Promise.all(workers.map((extra) => lab.workerProcess(extra)));
    const map = await lab.start(SPEC, 'stores');
    await map.result();
    expect(lab.sim.summary()).toMatchObject({ duplicateCharges: 0, repeatedCharges: 0 });
    return JSON.stringify(await map.table());
  });

/** A map that is admitted and has bought nothing, and then only a worker with another store. */
async function withStranger(lab: MapLab) {
  const doomed = await lab.workerProcess({ SLUICE_CRASH_AT: 'call.before_send' });
  const map = await lab.start(SPEC, 'stores');
  await doomed.gone;
  const stranger = await lab.workerProcess({ SLUICE_RUN_STORE: join(lab.folder, 'other') });
  const page = lab.client.workflow.getHandle('stores/p0');
  const [row] = await eventually(
    () => page.query<OpenRow[], []>(QUERY.holds),
    (rows) => rows.length > 0,
    60_000,
  );
  const { calls } = await eventually(
    () => lab.client.workflow.getHandle(row!.workflowId).query<RowHolds, []>(QUERY.holds),
    (holds) => holds.calls.some(({ reason }) => reason === 'run_store'),
    60_000,
  );
  return { map, page, stranger, calls };
}

test.concurrent('a worker with another store sends nothing and says why; the map goes on when its own worker is back', () =>
  withLab(async (lab) => {
    const { map, stranger, calls } = await withStranger(lab);
    expect(calls).toMatchObject([{ state: 'hold', reason: 'run_store', scope: 'row' }]);
    expect(lab.sim.ledger).toEqual([]);
    await stranger.kill();
    await lab.workerProcess();
    expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: 6 } });
    expect(lab.sim.summary()).toMatchObject({ duplicateCharges: 0, repeatedCharges: 0 });
  }));

test.concurrent('what a worker cannot write is a pending failure with its code, the store and what to do, and nothing is lost', () =>
  withLab(async (lab) => {
    const { map, page, stranger } = await withStranger(lab);
    await map.signal('cancel');
    const failure = await eventually(
      async () => (await page.describe()).raw.pendingActivities?.[0]?.lastFailure,
      (found) => found !== undefined && found !== null,
      60_000,
    );
    expect(failure).toMatchObject({
      applicationFailureInfo: { type: 'MAP_NOT_IN_STORE' },
      message: expect.stringMatching(/map stores is not in the run store .*other .*SLUICE_RUN_STORE/),
    });
    await stranger.kill();
    await lab.workerProcess();
    expect(await map.result()).toMatchObject({ status: 'cancelled', rows: { cancelled: 6 } });
    expect(await map.table()).toHaveLength(6);
  }));

describeWithPostgres('a run store in PostgreSQL', (server) => {
  test('two machines with folders of their own run one map, and the table is that of one machine with a folder', async () => {
    await server().createDatabase('shared');
    const local = await tableOf({});
    const shared = { SLUICE_RUN_STORE: server().url('shared') };
    expect(await tableOf(shared, shared)).toBe(local);
  });

  test('rows from a query, results in a table: no file of the data is needed, and a second map updates its rows', () =>
    withLab(async (lab) => {
      await server().createDatabase('crm');
      const url = server().url('crm');
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(
        "create table firms(domain text primary key); insert into firms select 'r' || n || '.example' from generate_series(0, 5) n",
      );
      await lab.workerProcess({ CRM_URL: url, SLUICE_RUN_STORE: server().url('shared') });
      const spec = {
        columns: SPEC.columns,
        dataset: { postgres: { url: { env: 'CRM_URL' }, query: 'select * from firms', key: 'domain' } },
        output: { postgres: { url: { env: 'CRM_URL' }, table: 'enriched', types: { domain: 'text' } } },
      };
      const first = await (await lab.start(spec, 'crm-1')).result();
      expect(first).toMatchObject({ status: 'completed', rows: { done: 6 }, cardinality: { rowIdentity: 'key' } });
      expect(first.output.table).toEqual(['PostgreSQL table enriched at { env: CRM_URL }']);
      expect(await readdir(join(lab.folder, 'out'))).toEqual(['crm-1.failures.jsonl', 'crm-1.summary.json']);
      const rows = async () =>
        (await client.query('select domain, company, _map, _status from enriched order by domain')).rows;
      const before = await rows();
      expect(before).toHaveLength(6);
      expect(before[0]).toMatchObject({ domain: 'r0.example', _map: 'crm-1', _status: 'done' });
      expect(before[0].company).toEqual(expect.any(Object));
      await (await lab.start(spec, 'crm-2')).result();
      expect(await rows()).toEqual(before.map((row) => ({ ...row, _map: 'crm-2' })));
      await client.end();
    }));
});
