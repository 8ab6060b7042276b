// Datasets in, tables out, through a whole map: identities, counts, rejects, order, and outputs that appear whole or not at all.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { callColumns } from '../controls/look';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: {
      providers: {
        acme: { price: 0.01, missRate: 0, faults: [{ kind: 'miss', inputs: ['miss.example'] }] },
        gated: { missRate: 0 },
      },
    },
    providers: { acme: {}, gated: {} },
  });
  await lab.worker();
});
afterAll(() => lab.close());

const file = (name: string, text: string) => writeFile(join(lab.folder, name), text);
const read = (name: string) => readFile(join(lab.folder, name), 'utf8');
const SIZE = { name: 'length', value: '{{ $length(row.domain) }}' };

test('CSV with a key: duplicates, a conflict, a miss and text that needs quotes', async () => {
  await file(
    'firms.csv',
    'domain,note\na.example,"Müller, ""Söhne"""\nmiss.example,\na.example,"Müller, ""Söhne"""\na.example,other\nb.example,青い\n',
  );
  const map = await lab.start({
    dataset: { csv: 'firms.csv', key: 'domain' },
    columns: [...callColumns('acme.company'), SIZE],
    output: { csv: 'out/firms.csv', jsonl: 'out/firms.jsonl' },
  });
  const result = await map.result();
  expect(result.cardinality).toEqual({
    sourceRows: 5,
    rejectedRows: 0,
    uniqueInputRows: 3,
    duplicateOccurrences: 2,
    conflicts: 1,
    outputRows: 3,
    rowIdentity: 'key',
  });
  expect(result.warnings).toEqual([expect.stringMatching(/^W_KEY_CONFLICT: .*line 5 \(first at line 2\)$/)]);
  expect(result.rows).toMatchObject({ done: 2, missed: 1 });
  const rows: { [column: string]: string }[] = parseCsv(await read('out/firms.csv'), { columns: true });
  expect(Object.keys(rows[0] ?? {})).toEqual(['domain', 'note', 'acme', 'length', '_status', '_error']);
  expect(rows.map(({ domain, note, acme, length }) => [domain, note, acme === '', length])).toEqual([
    ['a.example', 'Müller, "Söhne"', false, '9'],
    ['miss.example', '', true, '12'],
    ['b.example', '青い', false, '9'],
  ]);
  const lines = (await read('out/firms.jsonl'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ acme, length }) => [acme?.domain ?? null, length])).toEqual([
    ['a.example', 9],
    [null, 12],
    ['b.example', 9],
  ]);
  const summary = JSON.parse(await read('out/firms.summary.json'));
  expect(summary).toMatchObject({ ...result, name: map.mapId, status: 'completed' });
  expect(summary.counts.providers['acme.default']).toMatchObject({ executed: 3, missed: 1, cost: 0.02 });
  expect(await read('out/firms.failures.jsonl')).toBe('');
});

test('CSV without a key: equal rows stay separate rows, by position', async () => {
  await file('twice.csv', 'domain\na.example\na.example\n');
  const map = await lab.start({ dataset: { csv: 'twice.csv' }, columns: [SIZE] });
  const { cardinality } = await map.result();
  expect(cardinality).toMatchObject({ uniqueInputRows: 2, duplicateOccurrences: 0, rowIdentity: 'source_row' });
  expect(await map.table()).toHaveLength(2);
});

test('JSON Lines with bad records set aside: they are counted, kept in the rejects file, and the sums hold', async () => {
  await file('some.jsonl', '{"domain":"a.example"}\nnot json\n{"domain":"b.example","size":3}\n[1]\n');
  const map = await lab.start({
    dataset: { jsonl: 'some.jsonl', key: 'domain', onBadRecord: 'reject' },
    columns: [SIZE],
  });
  const { cardinality, rows } = await map.result();
  expect(cardinality).toMatchObject({ sourceRows: 4, rejectedRows: 2, uniqueInputRows: 2, outputRows: 2 });
  expect(rows.done).toBe(2);
  expect(await map.table()).toEqual([
    { domain: 'a.example', size: null, length: 9, _status: 'done', _error: null },
    { domain: 'b.example', size: 3, length: 9, _status: 'done', _error: null },
  ]);
  const names = await readdir(join(lab.folder, '.sluice/runs', map.mapId));
  const rejects = await readFile(
    join(lab.folder, '.sluice/runs', map.mapId, names.find((name) => name.startsWith('rejects')) ?? ''),
    'utf8',
  );
  expect(
    rejects
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).line),
  ).toEqual([2, 4]);
});

test("with rows: 'done' only finished rows are in the table, the others are in the failures file", async () => {
  const map = await lab.start({
    dataset: { rows: domainRows(3), key: 'domain' },
    columns: [{ name: 'x', value: "{{ row.domain = 'r1.example' ? $error('no') : 1 }}" }],
    output: { jsonl: 'out/finished.jsonl', rows: 'done' },
  });
  expect(await map.result()).toMatchObject({ rows: { done: 2, failed: 1 }, cardinality: { outputRows: 2 } });
  expect((await read('out/finished.jsonl')).trimEnd().split('\n')).toHaveLength(2);
  expect(JSON.parse(await read('out/finished.failures.jsonl'))).toMatchObject({
    line: expect.any(Number),
    key: { domain: 'r1.example' },
    status: 'failed',
    column: 'x',
    code: 'EXPRESSION_FAILED',
  });
});

test('an empty dataset gives a table without rows', async () => {
  await file('empty.csv', 'domain\n');
  const map = await lab.start({
    dataset: { csv: 'empty.csv', key: 'domain' },
    columns: [SIZE],
    output: { csv: 'out/empty.csv' },
  });
  expect(await map.result()).toMatchObject({ status: 'completed', cardinality: { sourceRows: 0, outputRows: 0 } });
  expect(await read('out/empty.csv')).toMatch(/^domain,length,_status,_error\r?\n$/);
});

test('600 rows over several pages come out in source order, with fewer rows open than a page has', async () => {
  const rows = domainRows(600);
  const map = await lab.start({ dataset: { rows, key: 'domain' }, columns: [SIZE], concurrency: { rows: 40 } });
  expect(await map.result()).toMatchObject({ rows: { done: 600 }, cardinality: { outputRows: 600 } });
  expect((await map.table()).map(({ domain }) => domain)).toEqual(rows.map(({ domain }) => domain));
}, 120_000);

test('results are in the run store while the map runs; the table appears by its name only at the end, and leaves nothing beside it', async () => {
  lab.sim.control.close('gated', { durationMs: 3_600_000 });
  const map = await lab.start({
    dataset: { rows: domainRows(60), key: 'domain' },
    columns: [
      {
        name: 'firm',
        runIf: "{{ row.domain = 'r59.example' }}",
        tool: 'gated.company',
        input: { domain: '{{ row.domain }}' },
      },
      SIZE,
    ],
    output: { csv: 'out/late.csv' },
  });
  const parts = join(lab.folder, '.sluice/runs', map.mapId, 'parts/page-000000');
  const written = await eventually(
    () => readdir(parts),
    (names) => names.length > 0,
  );
  expect(written[0]).toMatch(/^part-\d{6}\.jsonl$/);
  const late = async () => (await readdir(join(lab.folder, 'out'))).filter((name) => name.includes('late')).sort();
  expect(await late()).toEqual([]);
  await map.signal('cancel');
  expect(await map.result()).toMatchObject({ rows: { done: 59, cancelled: 1 } });
  expect(await late()).toEqual(['late.csv', 'late.failures.jsonl', 'late.summary.json']);
  expect((await readdir(join(lab.folder, 'out'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a table with only the first rows keeps the one that it replaces beside it; a whole one replaces it', async () => {
  const spec = { dataset: { rows: domainRows(3), key: 'domain' }, columns: [SIZE] };
  const output = { csv: 'out/again.csv', overwrite: true };
  const first = await (await lab.start({ ...spec, output })).result();
  expect(first.warnings).toEqual([]);
  const whole = await read('out/again.csv');
  const limited = await lab.start({ ...spec, output, limits: { rows: 1 } });
  const kept = `out/again.before-${limited.mapId}.csv`;
  expect((await limited.result()).warnings).toContainEqual(
    expect.stringMatching(new RegExp(`^W_EARLIER_TABLE_KEPT: .*${kept}$`)),
  );
  expect(await read(kept)).toBe(whole);
  expect(await read('out/again.csv')).not.toBe(whole);
  expect((await (await lab.start({ ...spec, output })).result()).warnings).toEqual([]);
  expect(await read('out/again.csv')).toBe(whole);
});
