// Tables in PostgreSQL: the cases of the table, the suite of all table writers, and connections that break at the worst moment.
import { runInNewContext } from 'node:vm';
import { Client } from 'pg';
import {
  checkPostgresTable,
  openPostgresTable,
  type PostgresTarget,
} from '../../../activities/sinks/postgres/postgres-sink';
import type { TableRow } from '../../../activities/sinks/sink';
import { normalizeResult } from '../../../contracts/result-json';
import { describeTableWriter } from '../../conformance/sink';
import { caseById, casesOf, type DatasetCase } from '../../helpers/dataset-cases';
import { openLossyProxy } from '../../helpers/lossy-proxy';
import { describeWithPostgres } from '../../helpers/postgres';

interface CaseRow {
  id: string;
  result: unknown;
}

describeWithPostgres('tables in PostgreSQL', (server) => {
  let databases = 0;
  let url: string;
  let client: Client;

  beforeEach(async () => {
    databases += 1;
    await server().createDatabase(`tables_${databases}`);
    url = server().url(`tables_${databases}`);
    client = new Client({ connectionString: url });
    await client.connect();
  });
  afterEach(() => client.end());

  const target = (rest: Partial<PostgresTarget> = {}): PostgresTarget => ({
    url,
    mapId: 'm1',
    table: 't',
    columns: ['id', 'result'],
    textColumns: ['id'],
    types: {},
    ...rest,
  });

  async function write(rows: readonly TableRow[], rest: Partial<PostgresTarget> = {}) {
    const table = await openPostgresTable(target(rest));
    for (const [ordinal, row] of rows.entries()) await table.write(row, { identity: `k:${row.id}`, ordinal });
    return table.finish();
  }

  const stored = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows;
  const rowCount = async () => Number((await stored('select count(*) from t'))[0]![0]);

  describeTableWriter('PostgreSQL', {
    open: (owner) => openPostgresTable(target({ mapId: owner, columns: ['id', 'note'] })),
    seen: async () => {
      const [[there]] = (await stored("select to_regclass('t')")) as [[string | null]];
      return there === null ? null : stored('select * from t order by _ordinal');
    },
  });

  const valuesOf = ({ inputText }: DatasetCase): CaseRow[] =>
    runInNewContext(inputText!, { Buffer, require }) as CaseRow[];
  const rowsOf = (one: DatasetCase) =>
    Array.from(valuesOf(one), ({ id, result }) => ({ id, result: normalizeResult(result).json }));

  test.each(['OUT-P01', 'OUT-P03', 'OUT-P05', 'OUT-P06'].map((id) => [id, caseById(id)] as const))(
    '%s',
    async (_id, one) => {
      const written = await write(rowsOf(one));
      const { stored: wanted, rowCount: wantedRows } = one.expect as { stored?: object; rowCount?: number };
      if (wanted) expect(Object.fromEntries(await stored('select id, result::text from t'))).toEqual(wanted);
      if (wantedRows) expect([await rowCount(), written.inserted]).toEqual([wantedRows, wantedRows]);
    },
  );

  test('OUT-P04 the same rows a second time change nothing', async () => {
    const rows = rowsOf(caseById('OUT-P04'));
    const first = await write(rows);
    const before = await stored('select xmin, ctid, * from t order by id');
    expect([first.inserted, (await write(rows)).inserted]).toEqual([2, 0]);
    expect(await stored('select xmin, ctid, * from t order by id')).toEqual(before);
  });

  test('OUT-P07 a column of a type of its own takes an ISO text, whatever the time zone of this process', async () => {
    const one = caseById('OUT-P07');
    const { TZ } = process.env;
    Object.assign(process.env, one.options.env);
    const rows = rowsOf(one).map(({ id, result }) => ({ id, d: (result as { d: string }).d }));
    await write(rows, { columns: ['id', 'd'], types: { d: 'date' } });
    expect(Object.fromEntries(await stored('select id, d::text from t'))).toEqual(one.expect.stored);
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  test('OUT-P08 names are quoted, and one that PostgreSQL would cut is refused', async () => {
    const [{ result }] = valuesOf(caseById('OUT-P08')) as [CaseRow];
    const [name] = Object.keys(result as object) as [string];
    await write([{ id: '1', [name]: 1 }], { columns: ['id', name] });
    const columns = await stored("select attname from pg_attribute where attrelid = 't'::regclass and attnum > 0");
    expect(columns.flat()).toContain(name);
    const long = target({ columns: ['id', 'é'.repeat(32)] });
    await expect(checkPostgresTable(long)).rejects.toMatchObject({
      code: 'E_PG_IDENTIFIER_TOO_LONG',
      message: expect.stringContaining('64 bytes'),
    });
  });

  test('SNK-11 a connection that is lost after COMMIT: the retry finds its rows and adds none', async () => {
    const rows = rowsOf(caseById('SNK-11'));
    const proxy = await openLossyProxy(server().port, (sent) => sent.includes('commit\0'));
    await expect(write(rows, { url: proxy.through(url) })).rejects.toMatchObject({ code: 'E_SINK_IO', scope: 'file' });
    expect(await rowCount()).toBe(caseById('SNK-11').expect.rowCount);
    expect((await write(rows)).inserted).toBe(0);
    expect(await rowCount()).toBe(1);
    await proxy.close();
  });

  test('every case of a Postgres table is tested here', () => {
    const named = ['OUT-P01', 'OUT-P03', 'OUT-P04', 'OUT-P05', 'OUT-P06', 'OUT-P07', 'OUT-P08', 'SNK-11'];
    expect(
      casesOf('sink-postgres')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(named);
  });

  test('a later map updates its rows, keeps those of others, and adds the columns it needs', async () => {
    await write([
      { id: '1', result: 1 },
      { id: '2', result: 2 },
    ]);
    const later = { mapId: 'm2', columns: ['id', 'result', 'more'] };
    expect(
      (
        await write(
          [
            { id: '2', result: 'new', more: [1] },
            { id: '3', result: null },
          ],
          later,
        )
      ).inserted,
    ).toBe(1);
    expect(await stored('select _map, id, result::text, more::text from t order by id')).toEqual([
      ['m1', '1', '1', null],
      ['m2', '2', '"new"', '[1]'],
      ['m2', '3', 'null', null],
    ]);
  });

  test('what a column holds is kept to the last character, but for those that PostgreSQL has not', async () => {
    const odd = 'tab\t back\\slash \\N \\. new\r\nline "é😀" \u2028';
    const written = await write([
      { id: odd, result: { [odd]: odd } },
      { id: 'nul\0', result: ['\0', '\ud800'] },
    ]);
    expect(written.sanitized).toBe(3);
    expect(await stored('select id, result from t order by _ordinal')).toEqual([
      [odd, { [odd]: odd }],
      ['nul\ufffd', ['\ufffd', '\ufffd']],
    ]);
  });

  test('a check leaves no trace, and says what would be refused', async () => {
    await checkPostgresTable(target({ table: 'public.fresh' }));
    expect(await stored("select to_regclass('public.fresh')")).toEqual([[null]]);
    await client.query('create table theirs(id int)');
    await expect(checkPostgresTable(target({ table: 'theirs' }))).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' });
    await expect(checkPostgresTable(target({ types: { id: 'dat; drop table theirs' } }))).rejects.toMatchObject({
      code: 'OUTPUT_UNWRITABLE',
    });
    await expect(checkPostgresTable(target({ table: 'absent.t' }))).rejects.toThrow(/schema "absent" does not exist/);
    expect(await stored('select count(*) from theirs')).toEqual([['0']]);
  });

  test('a value that its column cannot take, and a database that is away, are told without the password', async () => {
    const wrong = write([{ id: 'x', result: 1 }], { types: { id: 'int' } });
    await expect(wrong).rejects.toMatchObject({ code: 'E_SINK_IO', message: expect.stringMatching(/integer: "x"/) });
    const away = target({ url: url.replace('sluice@', 'sluice:geheim@').replace(/tables_\d+/, 'absent') });
    const error = (await openPostgresTable(away).catch((thrown: Error) => thrown)) as Error;
    expect(error).toMatchObject({ code: 'E_SINK_IO', message: expect.stringContaining('absent') });
    expect(`${error.message} ${error.cause}`).not.toContain('geheim');
  });

  test('the server ends in the middle of a COPY: an error of the output, and nothing is there', async () => {
    const table = await openPostgresTable(target());
    await table.write({ id: '1', result: 1 }, { identity: 'k:1', ordinal: 0 });
    await client.end();
    await server().kill();
    await expect(table.finish()).rejects.toMatchObject({ code: 'E_SINK_IO' });
    await server().start();
    client = new Client({ connectionString: url });
    await client.connect();
    expect(await stored("select to_regclass('t')")).toEqual([[null]]);
  });
});
