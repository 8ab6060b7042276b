// A connection to PostgreSQL that breaks right after a statement took effect, in the run store and at the COMMIT of the table.
import { Client } from 'pg';
import { openLossyProxy } from '../helpers/lossy-proxy';
import { domainRows, openMapLab } from '../helpers/map-lab';
import { describeWithPostgres } from '../helpers/postgres';

jest.setTimeout(180_000);

const ROWS = 6;
const STATEMENTS = [
  'create schema if not exists sluice',
  'insert into sluice.pages',
  'insert into sluice.maps',
  'insert into sluice.parts',
  'insert into sluice.ends',
  'commit\0',
];

describeWithPostgres('answers of PostgreSQL that are lost', (server) => {
  test('each kind of write is lost once after it took effect: no call is made again, and each row is in the table once', async () => {
    await server().createDatabase('lossy');
    const waiting = new Set(STATEMENTS);
    const proxy = await openLossyProxy(server().port, (sent) =>
      STATEMENTS.some((statement) => sent.includes(statement) && waiting.delete(statement)),
    );
    const url = proxy.through(server().url('lossy'));
    const lab = await openMapLab({
      sim: { seed: 7, providers: { acme: { price: 0.01, missRate: 0 } } },
      providers: { acme: {} },
    });
    try {
      await lab.workerProcess({ SLUICE_RUN_STORE: url, SLUICE_LOSSY_URL: url });
      const map = await lab.start({
        dataset: { rows: domainRows(ROWS), key: 'domain' },
        columns: [{ name: 'firm', tool: 'acme.company', input: { domain: '{{ row.domain }}' } }],
        output: { postgres: { url: { env: 'SLUICE_LOSSY_URL' }, table: 'firms' } },
      });
      expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: ROWS } });
      expect([...waiting]).toEqual([]);
      expect(lab.sim.summary()).toMatchObject({ requests: ROWS, charges: ROWS, repeatedCharges: 0 });
      const client = new Client({ connectionString: server().url('lossy') });
      await client.connect();
      const { rows } = await client.query('select domain, _status from firms order by _ordinal');
      await client.end();
      expect(rows).toEqual(domainRows(ROWS).map(({ domain }) => ({ domain, _status: 'done' })));
    } finally {
      await lab.close();
      await proxy.close();
    }
  });
});
