// Exports: the outputs of a map once more after they were deleted, and the rows of a map that still runs.
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { ExportResult } from '../../contracts/export';
import { exportWorkflowId } from '../../contracts/ids';
import { sluice } from '../client/fixtures/captured-shell';
import { callColumns } from '../controls/look';
import { connectionOf, temporalCommand } from '../helpers/command';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: {
      providers: {
        acme: { price: 0.01, missRate: 0, faults: [{ kind: 'needs-credits', inputs: ['r1.example'] }] },
        gated: { missRate: 0 },
      },
    },
    providers: { acme: {}, gated: {} },
  });
});
afterAll(() => lab.close());

const read = (name: string) => readFile(join(lab.folder, name), 'utf8');
const exported = (...args: string[]) => sluice(['export', ...args], { env: connectionOf(lab), cwd: lab.folder });
const asJson = async (...args: string[]): Promise<ExportResult> =>
  JSON.parse((await exported(...args, '--json')).stdout) as ExportResult;

test('without a worker nothing is started, and it is said', async () => {
  const { exitCode, stderr } = await exported('firms', '--to', 'out/none.csv');
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^NO_WORKER: no worker polls task queue "sluice"/)]);
  const started = lab.client.workflow.getHandle(exportWorkflowId('firms')).describe();
  await expect(started).rejects.toThrow(WorkflowNotFoundError);
});

describe('a map that has ended', () => {
  const OUTPUTS = ['out/firms.csv', 'out/firms.jsonl', 'out/firms.failures.jsonl', 'out/firms.summary.json'];
  let before: string[];

  beforeAll(async () => {
    await lab.worker();
    await writeFile(join(lab.folder, 'firms.csv'), 'domain,note\nr0.example,"=1+1"\nr1.example,\nr2.example,青い\n');
    const map = await lab.start(
      {
        dataset: { csv: 'firms.csv', key: 'domain' },
        columns: [{ name: 'size', value: '{{ $length(row.domain) }}' }, ...callColumns('acme.company')],
        output: { csv: 'out/firms.csv', jsonl: 'out/firms.jsonl', formulaSafe: true },
      },
      'firms',
    );
    await map.result();
    before = await Promise.all(OUTPUTS.map(read));
  });

  test('gives all its outputs again, byte for byte, after they were deleted', async () => {
    for (const output of OUTPUTS) await rm(join(lab.folder, output));
    const { exitCode, stdout } = await exported('firms');
    expect(exitCode).toBe(0);
    for (const output of OUTPUTS) expect(stdout).toContain(`written  ${join(lab.folder, output)}\n`);
    expect(await Promise.all(OUTPUTS.map(read))).toEqual(before);
  });

  test('gives its table under another name, in the format of the ending or of --format', async () => {
    expect(await asJson('firms', '--to', 'out/copy.csv')).toMatchObject({ ended: true, pending: 0, rows: { done: 2 } });
    await exported('firms', '--to', 'out/copy.txt', '--format', 'jsonl');
    expect([await read('out/copy.csv'), await read('out/copy.txt')]).toEqual(before.slice(0, 2));
  });

  test('replaces a file with other content only with --overwrite, and its dataset never', async () => {
    await writeFile(join(lab.folder, 'mine.csv'), 'mine\n');
    const { exitCode, stderr } = await exported('firms', '--to', 'mine.csv');
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^OUTPUT_EXISTS: .*mine\.csv exists/)]);
    expect(await read('mine.csv')).toBe('mine\n');
    await exported('firms', '--to', 'mine.csv', '--overwrite');
    expect(await read('mine.csv')).toBe(before[0]);
    const source = await exported('firms', '--to', 'firms.csv', '--overwrite');
    expect(source.stderr).toMatch(/^OUTPUT_IS_INPUT: /);
  });

  test('can be exported by the Temporal CLI, and by an argument that is wrong not at all', async () => {
    const start = (input: object) =>
      temporalCommand(lab, [
        ...['workflow', 'execute', '--task-queue', 'sluice', '--type', 'exportMap', '--workflow-id', 'firms/export'],
        ...['--input', JSON.stringify(input)],
      ]);
    expect((await start({ map: 'firms', to: 'out/plain.jsonl' })).exitCode).toBe(0);
    expect(await read('out/plain.jsonl')).toBe(before[1]);
    const { stdout, stderr } = await start({ map: 'firms', too: 'x.csv', format: 'xlsx' });
    expect(stdout + stderr).toContain('unknown option "too" (did you mean "to"?)');
    expect(stdout + stderr).toContain('format: expected one of "csv", "jsonl", found "xlsx"');
  });
});

describe('a map that runs', () => {
  let map: StartedMap;

  beforeAll(async () => {
    lab.sim.control.close('gated', { durationMs: 3_600_000 });
    map = await lab.start({
      dataset: { rows: domainRows(60), key: 'domain' },
      columns: [
        {
          name: 'firm',
          runIf: "{{ row.domain = 'r30.example' }}",
          tool: 'gated.company',
          input: { domain: '{{ row.domain }}' },
        },
        { name: 'size', value: '{{ $length(row.domain) }}' },
      ],
      output: { csv: 'out/late.csv' },
    });
  });
  afterAll(async () => {
    await map.signal('cancel');
    await map.result();
  });

  test('gives every row in source order; one without an outcome is pending, as it was authored', async () => {
    const state = await eventually(
      () => asJson(map.mapId, '--to', 'out/now.csv', '--overwrite'),
      ({ pending }) => pending === 1,
    );
    expect(state).toMatchObject({
      map: map.mapId,
      ended: false,
      rows: { done: 59 },
      files: [join(lab.folder, 'out/now.csv')],
    });
    const lines = (await read('out/now.csv')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(61);
    expect([lines[0], lines[30], lines[31], lines[32]]).toEqual([
      'domain,firm,size,_status,_error',
      'r29.example,,11,done,',
      'r30.example,,,pending,',
      'r31.example,,11,done,',
    ]);
    const { stdout } = await exported(map.mapId, '--to', 'out/now.jsonl');
    expect(stdout).toContain(`${map.mapId} as it is now: 1 row has no outcome yet`);
    expect(stdout).toContain('pending 1 · of 60');
  });

  test('keeps its own outputs to itself, by whatever name, and needs another place', async () => {
    await symlink(join(lab.folder, 'out'), join(lab.folder, 'link'));
    for (const path of ['out/late.csv', 'out/late.summary.json', 'link/late.csv']) {
      const { exitCode, stderr } = await exported(map.mapId, '--to', path, '--overwrite');
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^EXPORT_REFUSED: .* is an output of map/)]);
    }
    const { stderr } = await exported(map.mapId);
    expect(stderr).toMatch(/^EXPORT_REFUSED: map .* still runs, or was terminated, .* \(sluice export --to\)/);
  });
});

test('an id that nobody knows is MAP_NOT_FOUND, one that was refused is MAP_NOT_IN_STORE', async () => {
  const nobody = await exported('nobody', '--to', 'out/nobody.csv');
  expect([nobody.exitCode, nobody.stderr]).toEqual([
    6,
    expect.stringMatching(/^MAP_NOT_FOUND: there is no map nobody/),
  ]);
  const map = await lab.start({ dataset: { rows: [], key: 'domain' }, columns: callColumns('acme.nothing') });
  await map.result().catch(() => undefined);
  const refused = await exported(map.mapId, '--to', 'out/refused.csv');
  expect(refused.stderr).toMatch(/^MAP_NOT_IN_STORE: .* was refused, or was admitted into another store/);
});
