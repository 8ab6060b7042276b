// Workers with different provider files: one that lacks a tool must not fail the rows that another one can do.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { QUERY } from '../../contracts/names';
import type { OpenRow, RowHolds } from '../../contracts/results';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';

jest.setTimeout(180_000);

/** A folder of provider files in which the provider is still the one of before the tool `email`. */
async function withoutEmail({ folder }: MapLab): Promise<string> {
  const older = join(folder, 'older');
  await mkdir(older);
  const file = parse(await readFile(join(folder, 'providers', 'acme.provider.yaml'), 'utf8'));
  const { email: _, ...tools } = file.tools;
  await writeFile(join(older, 'acme.provider.yaml'), stringify({ ...file, tools }));
  return older;
}

test('a worker that lacks a tool leaves its calls to the others and says which tools it has', async () => {
  const lab = await openMapLab({
    sim: { seed: 7, providers: { acme: { price: 0.01, missRate: 0 } } },
    providers: { acme: { limits: { concurrency: 2 } } },
    environment: { SLUICE_HEARTBEAT_TIMEOUT: '3s', SLUICE_LEASE_TTL: '3s' },
  });
  try {
    // Admits the map and is gone before anything was sent.
    const doomed = await lab.workerProcess({ SLUICE_CRASH_AT: 'call.before_send' });
    const column = { name: 'email', tool: 'acme.email', input: { domain: '{{ row.domain }}' } };
    const map = await lab.start({ dataset: { rows: domainRows(4), key: 'domain' }, columns: [column] });
    await doomed.gone;
    const older = await lab.workerProcess({ SLUICE_PROVIDERS: await withoutEmail(lab) });
    const [row] = await eventually(
      () => lab.client.workflow.getHandle(`${map.mapId}/p0`).query<OpenRow[], []>(QUERY.holds),
      (rows) => rows.length > 0,
      60_000,
    );
    await eventually(
      () => lab.client.workflow.getHandle(row!.workflowId).query<RowHolds, []>(QUERY.holds),
      (holds) => holds.calls.some(({ reason }) => reason === 'tool_unknown'),
      60_000,
    );
    expect(lab.sim.ledger).toEqual([]);
    await lab.workerProcess();
    await older.kill();
    expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: 4 } });
    expect(lab.sim.summary()).toMatchObject({ charges: 4, duplicateCharges: 0, repeatedCharges: 0 });
  } finally {
    await lab.close();
  }
});
