// A secret is searched for everywhere that something of a map is kept or said: histories, logs, tables, failures, the run store.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gateWorkflowId } from '../../contracts/ids';
import { freePort } from '../../scripts/ports';
import { sluice } from '../client/fixtures/captured-shell';
import { callColumns } from '../controls/look';
import { sluiceCommand, temporalCommand } from '../helpers/command';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';
import { type EchoServer, startEchoServer } from './echo-server';

const SECRET = 'sk-live/7f"Q+never tell=';
/** Forms in which a secret may travel: as it is, in JSON, in a URL, in base64. */
const FORMS = [
  SECRET,
  JSON.stringify(SECRET).slice(1, -1),
  encodeURIComponent(SECRET),
  Buffer.from(SECRET).toString('base64').replace(/=+$/, ''),
];

let lab: MapLab;
let echo: EchoServer;

beforeAll(async () => {
  echo = await startEchoServer();
  lab = await openMapLab({
    sim: { providers: {} },
    providers: {
      echo: { secret: SECRET, price: 0, baseUrl: echo.url, limits: { concurrency: 1 } },
      shut: { secret: SECRET, price: 0, baseUrl: `${echo.url}/shut` },
    },
  });
});
afterAll(async () => {
  await lab.close();
  await echo.close();
});

function expectNoSecret(where: string, text: string): void {
  for (const form of FORMS) if (text.includes(form)) throw new Error(`${where} holds the secret as ${form}`);
}

/** Every file below a folder. */
async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** Ids of all workflows of the namespace. */
async function workflowIds(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of lab.client.workflow.list()) ids.push(workflowId);
  return ids;
}

/** Everything that a person or a program can ask of these maps and gates, as JSON. */
const questions = (mapId: string): string[][] => [
  ['status', mapId],
  ['list'],
  ['doctor'],
  ...['r0', 'r1', 'r4', 'r7'].map((row) => ['explain', mapId, '--row', `${row}.example`]),
  ['unknown', 'list', mapId],
  ['gate', 'list'],
  ['gate', 'status', 'echo.default'],
  ['gate', 'status', 'shut.default'],
];

test('a secret that a provider echoes in answers, errors and redirects, or that a dataset is fetched with, is nowhere but in the requests', async () => {
  const port = await freePort();
  const worker = await lab.workerProcess({
    SLUICE_METRICS: `127.0.0.1:${port}`,
    SLUICE_PRIVATE_HOSTS: '127.0.0.1',
    LEADS_URL: `${echo.url}/leads.csv?token=${encodeURIComponent(SECRET)}`,
  });
  // r0 is answered with the secret in its value, r1 is refused with it, r2 meets a 500 with it, r4 to r6 are sent elsewhere with it, r7 is throttled with it.
  const map = await lab.start({
    dataset: { rows: domainRows(8), key: 'domain' },
    columns: callColumns('echo.company'),
  });
  const result = await map.result();
  expect(result.rows).toMatchObject({ done: 5, failed: 3 });
  const refusedMap = await lab.start({
    dataset: { csv: { env: 'LEADS_URL' }, key: 'domain' },
    columns: callColumns('shut.company'),
  });
  expect(await refusedMap.result()).toMatchObject({ cardinality: { sourceRows: 1 }, rows: { done: 0 } });
  const server = ['--address', lab.address, '--namespace', lab.namespace];
  for (const question of questions(map.mapId)) {
    const { stdout, stderr } = await sluice([...question, '--json', ...server]);
    expect(JSON.parse(stdout)).not.toBeNull();
    expectNoSecret(`sluice ${question.join(' ')} --json`, stdout + stderr);
  }
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain('sluice_call_events');
  expectNoSecret('metrics', metrics);
  const watched = await sluiceCommand(lab, ['status', map.mapId]);
  await worker.stop();

  expect(echo.authorizations.length).toBeGreaterThanOrEqual(4);
  expect(new Set(echo.authorizations)).toEqual(new Set([`Bearer ${SECRET}`]));
  const [answered, refused] = await map.table();
  expect(answered?.echo).toMatchObject({ domain: 'r0.example', said: expect.stringContaining('[secret]') });
  expect(refused?._error).toContain('[secret]');

  const ids = await eventually(workflowIds, (all) => all.length === 15);
  for (const provider of ['echo', 'shut']) expect(ids).toContain(gateWorkflowId(provider, 'default'));
  for (const id of ids) {
    const raw = await temporalCommand(lab, [
      'workflow',
      'show',
      '-w',
      id,
      '-o',
      'json',
      '--no-json-shorthand-payloads',
    ]);
    expectNoSecret(`raw history of ${id}`, raw.stdout);
    const decoded = raw.stdout.replace(/"data": ?"([^"]*)"/g, (_, data) => Buffer.from(data, 'base64').toString());
    expect(decoded).toContain(id.split('/')[0] === 'gate' ? id : id.split('/')[0]);
    expectNoSecret(`decoded history of ${id}`, decoded);
  }
  expectNoSecret('worker log', worker.log());
  expectNoSecret('sluice status', watched.stdout + watched.stderr);
  const files = await filesUnder(lab.folder);
  expect(files.some((file) => file.includes('.sluice/runs'))).toBe(true);
  for (const file of files) expectNoSecret(file, await readFile(file, 'utf8'));
});
