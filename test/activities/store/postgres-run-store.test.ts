import { join } from 'node:path';
import { Client } from 'pg';
import { createPostgresRunStore, type PostgresRunStore } from '../../../activities/store/postgres-run-store';
import { describeRunStore, manifest, outcome, row } from '../../conformance/run-store';
import { describeWithPostgres } from '../../helpers/postgres';
import { useTemporaryFolder } from '../../helpers/temporary-folder';

describeWithPostgres('run store in PostgreSQL', (server) => {
  const folder = useTemporaryFolder();
  let stores: PostgresRunStore[] = [];
  let databases = 0;
  let url = '';

  beforeEach(async () => {
    databases += 1;
    await server().createDatabase(`store_${databases}`);
    url = server().url(`store_${databases}`);
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    stores = [];
  });

  const open = (at = url) => {
    const store = createPostgresRunStore({ url: at, localRoot: join(folder(), 'local') });
    stores.push(store);
    return store;
  };

  describeRunStore('PostgreSQL', async () => open());

  test('workers that start together on an empty database create its tables once', async () => {
    const written = Array.from({ length: 8 }, (_, page) => open().writePage('m1', page, [row(page)]));
    await Promise.all(written);
    expect(await open().readPage('m1', 7)).toEqual([row(7)]);
  });

  test('a damaged value is refused instead of handed out', async () => {
    const store = open();
    const { $stored } = await store.putValue('m1', '{"price":1}');
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`update sluice.values set body = '{"price":2}'`);
    await client.end();
    await expect(store.getValue('m1', $stored.ref)).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('damaged'),
    });
  });

  test('a database that was away is used again when it is back, with what it had', async () => {
    const store = open();
    await store.createManifest('m1', manifest('run-1'));
    await server().kill();
    await expect(store.writePart('m1', 0, 0, [outcome(0)])).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining(`127.0.0.1:${server().port}`),
    });
    await server().start();
    await store.writePart('m1', 0, 0, [outcome(0)]);
    expect(await store.readManifest('m1')).toEqual(manifest('run-1'));
    expect(await store.readPart('m1', 0, 0)).toEqual([outcome(0)]);
  });

  test('no error and no name of the store has the password', async () => {
    const store = open(url.replace('sluice@', 'sluice:pass%20word%21@').replace(/store_\d+$/, 'absent'));
    const error = await store.readManifest('m1').catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'STORE_FAILED', message: expect.stringContaining('absent') });
    expect(`${store.place} ${(error as Error).message} ${String((error as Error).cause)}`).not.toMatch(/pass/);
  });
});
