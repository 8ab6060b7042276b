// Maps started and steered by the two command lines that people have: `sluice` as a process, and the plain Temporal CLI.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mapSpecSchema } from '../../contracts/schemas/map-spec';
import { callColumns } from '../controls/look';
import { connectionOf, sluiceCommand, temporalCommand } from '../helpers/command';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: { providers: { acme: { price: 0.01, missRate: 0 }, shut: { missRate: 0 } } },
    providers: { acme: {}, shut: {} },
  });
  // Finds the server by TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE alone, as the commands below do.
  const worker = await lab.workerProcess();
  const { TEMPORAL_NAMESPACE, TEMPORAL_ADDRESS } = connectionOf(lab);
  expect(worker.log()).toContain(`serves ${TEMPORAL_NAMESPACE} at ${TEMPORAL_ADDRESS}`);
  const rows = domainRows(12).map(({ domain }) => domain);
  await writeFile(join(lab.folder, 'firms.csv'), ['domain', ...rows, ''].join('\n'));
});
afterAll(() => lab.close());

const requestsOf = (provider: string) => lab.sim.ledger.filter((entry) => entry.provider === provider);

/** Ids of the row workflows of a map, without the map's own id. */
async function rowIdentities(mapId: string): Promise<string[]> {
  const query = `WorkflowId STARTS_WITH '${mapId}/r/'`;
  const ids: string[] = [];
  for await (const { workflowId } of lab.client.workflow.list({ query })) ids.push(workflowId.slice(mapId.length));
  return ids.sort();
}

describe('sluice start', () => {
  beforeAll(() =>
    writeFile(
      join(lab.folder, 'firms.map.yaml'),
      [
        'name: firms',
        'dataset: { csv: firms.csv, key: domain }',
        'columns:',
        '  - { name: firm, tool: acme.company, input: { domain: "{{ row.domain }}" } }',
        'output: { jsonl: out/firms.jsonl, overwrite: true }',
      ].join('\n'),
    ),
  );

  test('with --limit runs the first rows, under the same identities as the whole run', async () => {
    const first = await sluiceCommand(lab, ['start', 'firms.map.yaml', '--id', 'pilot', '--limit', '5', '--watch']);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(
      requestsOf('acme')
        .map(({ input }) => input.domain)
        .sort(),
    ).toEqual(domainRows(5).map(({ domain }) => domain));
    const whole = await sluiceCommand(lab, ['start', 'firms.map.yaml', '--id', 'whole', '--watch']);
    expect(whole.exitCode).toBe(0);
    const seen = async () => [await rowIdentities('pilot'), await rowIdentities('whole')];
    const [pilot = [], all = []] = await eventually(seen, ([a = [], b = []]) => a.length === 5 && b.length === 12);
    expect(all).toEqual(expect.arrayContaining(pilot));
  });

  test('prints the counts of the end and where the table lies', async () => {
    const { stdout } = await sluiceCommand(lab, ['start', 'firms.map.yaml', '--id', 'told', '--limit', '3', '--watch']);
    expect(stdout).toContain('map told completed');
    expect(stdout).toMatch(/^rows {2}done 3 .* of 3$/m);
    expect(stdout).toContain(join(lab.folder, 'out/firms.jsonl'));
  });

  test('an id that was used is refused and its map is named', async () => {
    const again = await sluiceCommand(lab, ['start', 'firms.map.yaml', '--id', 'pilot']);
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toMatch(/^MAP_EXISTS: a map pilot exists already \(completed/);
  });
});

describe('the Temporal CLI', () => {
  const start = async (mapId: string, spec: object) => {
    await writeFile(join(lab.folder, `${mapId}.json`), JSON.stringify(spec));
    const common = ['--task-queue', 'sluice', '--type', 'datasetMap', '--workflow-id', mapId];
    return temporalCommand(lab, ['workflow', 'start', ...common, '--input-file', `${mapId}.json`]);
  };

  test('starts a map whose relative paths lie under the data root, and shows its result', async () => {
    const spec = {
      name: 'w1',
      dataset: { csv: 'firms.csv', key: 'domain' },
      columns: callColumns('acme.company'),
      output: { csv: 'out/w1.csv' },
    };
    expect(mapSpecSchema.safeParse(spec).success).toBe(true);
    expect((await start('w1', spec)).exitCode).toBe(0);
    const shown = await temporalCommand(lab, ['workflow', 'result', '-w', 'w1', '-o', 'json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      status: 'COMPLETED',
      result: { status: 'completed', rows: { done: 12 }, output: { table: [join(lab.folder, 'out/w1.csv')] } },
    });
  });

  test('queries the progress of a running map and cancels it by signal', async () => {
    lab.sim.control.close('shut', { durationMs: 3_600_000 });
    await start('w2', {
      name: 'w2',
      dataset: { rows: domainRows(4), key: 'domain' },
      columns: callColumns('shut.company'),
      output: { jsonl: 'out/w2.jsonl' },
    });
    const query = ['workflow', 'query', '-w', 'w2', '--type', 'progress', '-o', 'json'];
    const ask = async () => JSON.parse((await temporalCommand(lab, query)).stdout).queryResult[0];
    const progress = await eventually(ask, ({ open }) => open === 4);
    expect(progress).toMatchObject({ mapId: 'w2', state: 'running', notStarted: 0 });
    const told = await temporalCommand(lab, ['workflow', 'signal', '-w', 'w2', '--name', 'cancel']);
    expect(told.exitCode).toBe(0);
    const shown = await temporalCommand(lab, ['workflow', 'result', '-w', 'w2', '-o', 'json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ result: { status: 'cancelled', rows: { cancelled: 4 } } });
  });

  test('shows every problem of a bad spec as the failure of the workflow', async () => {
    await start('w3', { name: 'w3', dataset: {}, columns: [{ name: '_x' }] });
    const shown = await temporalCommand(lab, ['workflow', 'result', '-w', 'w3']);
    expect(shown.exitCode).not.toBe(0);
    expect(`${shown.stdout}${shown.stderr}`).toMatch(/columns\[0\].*[\s\S]*output/);
  });
});
