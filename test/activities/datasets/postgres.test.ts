// Datasets from PostgreSQL: the cases of the table, and what a person meets who names a wrong database, query or key.
import { Client } from 'pg';
import type { DatasetOptions } from '../../../activities/datasets/options';
import { queryShape } from '../../../activities/datasets/postgres/query-shape';
import { queryPages } from '../../../activities/datasets/postgres/read-query';
import { caseById, casesOf, type DatasetCase, expectCaseError } from '../../helpers/dataset-cases';
import { admissionError, admit } from '../../helpers/dataset-harness';
import { describeWithPostgres } from '../../helpers/postgres';
import { useTemporaryFolder } from '../../helpers/temporary-folder';

const URL_VARIABLE = 'SLUICE_TEST_DATASET_URL';

describeWithPostgres('datasets from PostgreSQL', (server) => {
  const folder = useTemporaryFolder();
  let databases = 0;
  let client: Client;

  beforeEach(async () => {
    databases += 1;
    await server().createDatabase(`data_${databases}`);
    process.env[URL_VARIABLE] = server().url(`data_${databases}`);
    client = new Client({ connectionString: process.env[URL_VARIABLE] });
    await client.connect();
  });
  afterEach(() => client.end());

  const source = (query: string, key: string | string[], rest: Partial<DatasetOptions['postgres']> = {}) => ({
    url: { env: URL_VARIABLE },
    query,
    key,
    ...rest,
  });
  const runOf = (dataset: DatasetOptions) => ({ folder: folder(), dataset });

  async function caseRun({ inputText, options }: DatasetCase, pageRows?: number) {
    await client.query(inputText!);
    const { query, key, pageSizeRows, unsafeNumbers } = options as {
      query: string;
      key: string[];
      pageSizeRows?: number;
      unsafeNumbers?: 'string';
    };
    const size = pageRows ?? pageSizeRows;
    const postgres = source(query, key, size === undefined ? {} : { pageRows: size });
    return runOf({ postgres, ...(unsafeNumbers === undefined ? {} : { unsafeNumbers }) });
  }

  const cases = casesOf('postgres').filter(({ id }) => id !== 'PGS-08');

  test.each(cases.map((one) => [one.id, one.title, one] as const))('%s %s', async (_id, _title, one) => {
    const { TZ } = process.env;
    Object.assign(process.env, one.options.env);
    const run = await caseRun(one);
    if (one.expect.error) expectCaseError(await admissionError(run), one);
    else {
      const { admitted } = await admit(run);
      if (one.expect.rows)
        expect(JSON.parse(JSON.stringify(admitted.map(({ input }) => input)))).toEqual(one.expect.rows);
      if (one.expect.rowKeys) expect(admitted.map(({ input }) => input.k)).toEqual(one.expect.rowKeys);
    }
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  test('PGS-10 the table of a query that writes keeps its rows, whatever way it tries', async () => {
    await client.query(caseById('PGS-10').inputText!);
    await client.query('create function empty() returns int language sql as $$ delete from t returning 1 $$');
    for (const query of [
      'delete from t returning id',
      'with gone as (delete from t returning id) select * from gone',
      'select id, empty() from t',
    ]) {
      expect(await admissionError(runOf({ postgres: source(query, 'id') }))).toMatchObject({ code: 'E_PG_READ_ONLY' });
    }
    const hidden = source('select 1 as id; delete from t', 'id');
    expect(await admissionError(runOf({ postgres: hidden }))).toMatchObject({ code: 'E_PG_QUERY' });
    expect((await client.query('select * from t')).rowCount).toBe(1);
  });

  test.each([undefined, 'repeatable-read' as const])(
    'PGS-08 rows that come and go between pages shift nothing (snapshot: %s)',
    async (snapshot) => {
      const one = caseById('PGS-08');
      await client.query(one.inputText!);
      const between = [...(one.options.betweenPages as string[])];
      const reader = new Client({ connectionString: process.env[URL_VARIABLE] });
      await reader.connect();
      const dataset = source('select * from t', 'id', { pageRows: 2, ...(snapshot ? { snapshot } : {}) });
      const ids: number[] = [];
      for await (const rows of queryPages(reader, dataset, await queryShape(reader, dataset))) {
        ids.push(...rows.map(([id]) => Number(id)));
        const sql = between.shift();
        if (sql) await client.query(sql);
      }
      await reader.end();
      expect(ids).toEqual(snapshot ? [1, 2, 3, 4, 5, 6] : one.expect.rowIds);
    },
  );

  test('pages of any size give the same rows and identities, along a key of several columns', async () => {
    await client.query('create table t(a text, b int, v text, primary key (a, b))');
    await client.query("insert into t select 'k' || (n % 7), n, 'v' || n from generate_series(1, 60) n");
    const read = async (pageRows: number) =>
      (await admit(runOf({ postgres: source('select * from t', ['a', 'b'], { pageRows }) }))).admitted;
    const whole = await read(1000);
    expect(whole).toHaveLength(60);
    expect(new Set(whole.map(({ identity }) => identity)).size).toBe(60);
    for (const pageRows of [1, 7, 59, 60, 61]) expect(await read(pageRows)).toEqual(whole);
  });

  test('the key of the query identifies rows, unless another key or the position is asked for', async () => {
    await client.query("create table t(id int primary key, v text); insert into t values (1,'x'),(2,'x')");
    const postgres = source('select id, v from t;', 'id');
    const counts = async (dataset: DatasetOptions) => (await admit(runOf({ postgres, ...dataset }))).cardinality;
    expect(await counts({})).toMatchObject({ uniqueInputRows: 2, rowIdentity: 'key' });
    expect(await counts({ key: 'v' })).toMatchObject({ uniqueInputRows: 1, conflicts: 1 });
    expect(await counts({ rowIdentity: 'source_row' })).toMatchObject({
      uniqueInputRows: 2,
      rowIdentity: 'source_row',
    });
  });

  test('a limit reads no more rows than it needs, and an empty table has its columns', async () => {
    await client.query(
      'create table t(id int primary key, v text); insert into t select n from generate_series(1, 100) n',
    );
    const limited = await admit({
      ...runOf({ postgres: source('select * from t', 'id', { pageRows: 10 }) }),
      limitRows: 3,
    });
    expect(limited.cardinality).toMatchObject({ sourceRows: 3, uniqueInputRows: 3 });
    expect(limited.warnings.join()).toContain('W_LIMITED');
    expect(limited.spool.bytes).toBeLessThan(100);
    const empty = await admit(runOf({ postgres: source('select * from t where id < 0', 'id') }));
    expect(empty).toMatchObject({ columns: ['id', 'v'], cardinality: { sourceRows: 0 } });
  });

  test.each([
    ['select * from absent', 'id', 'E_PG_QUERY', /relation "absent" does not exist.*42P01/],
    ['select * form t', 'id', 'E_PG_QUERY', /syntax error/],
    ['select * from t', 'ID', 'E_KEY_COLUMN_MISSING', /did you mean "id"/],
    ['select id, v from t', 'v', 'E_PG_KEY_NULL', /"v" is null/],
    ['select id from t -- all', 'id', null, null],
  ])('%s with the key %s', async (query, key, code, message) => {
    await client.query('create table t(id int primary key, v text); insert into t values (1, null)');
    const run = runOf({ postgres: source(query, key) });
    if (code === null) expect((await admit(run)).admitted).toHaveLength(1);
    else expect(await admissionError(run)).toMatchObject({ code, message: expect.stringMatching(message!) });
  });

  test('a database that cannot be reached is named without its password', async () => {
    const { port } = server();
    process.env[URL_VARIABLE] = `postgres://sluice:geheim%21@127.0.0.1:${port}/absent`;
    const error = await admissionError(runOf({ postgres: source('select 1', 'id') }));
    expect(error).toMatchObject({
      code: 'E_SOURCE_UNREADABLE',
      message: expect.stringContaining(`postgres://sluice@127.0.0.1:${port}/absent cannot be read`),
    });
    expect(`${error.message} ${error.cause}`).not.toContain('geheim');
    delete process.env[URL_VARIABLE];
    const unset = await admissionError(runOf({ postgres: source('select 1', 'id') }));
    expect(unset.message).toContain(`{ env: ${URL_VARIABLE} } is not available`);
  });
});
