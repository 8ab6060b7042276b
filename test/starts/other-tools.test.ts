// Workers with different provider files: one that lacks a tool, or has another version of it, leaves its calls to those that can do them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { QUERY } from '../../contracts/names';
import type { HoldReason } from '../../contracts/outcomes';
import type { OpenRow, RowHolds } from '../../contracts/results';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';

jest.setTimeout(180_000);

type Tools = { [name: string]: { response: object; version?: string } };

/** A folder of provider files in which the tools of the provider are others. */
async function withTools({ folder }: MapLab, name: string, change: (tools: Tools) => Tools): Promise<string> {
  const file = parse(await readFile(join(folder, 'providers', 'acme.provider.yaml'), 'utf8'));
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, 'acme.provider.yaml'), stringify({ ...file, tools: change(file.tools) }));
  return join(folder, name);
}

/** Waits until a row of the map is held for this reason; gives the history that says why. */
async function whyHeld({ client }: MapLab, mapId: string, reason: HoldReason): Promise<string> {
  const [row] = await eventually(
    () => client.workflow.getHandle(`${mapId}/p0`).query<OpenRow[], []>(QUERY.holds),
    (rows) => rows.length > 0,
    60_000,
  );
  const handle = client.workflow.getHandle(row!.workflowId);
  await eventually(
    () => handle.query<RowHolds, []>(QUERY.holds),
    (holds) => holds.calls.some((call) => call.reason === reason),
    60_000,
  );
  const { events } = await handle.fetchHistory();
  const answers = (events ?? []).map(
    (event) => event.activityTaskCompletedEventAttributes?.result?.payloads?.[0]?.data,
  );
  return answers.map((data) => Buffer.from(data ?? []).toString()).join('\n');
}

const openLab = () =>
  openMapLab({
    sim: { seed: 7, providers: { acme: { price: 0.01, missRate: 0 } } },
    providers: { acme: { limits: { concurrency: 2 } } },
    environment: { SLUICE_HEARTBEAT_TIMEOUT: '3s', SLUICE_LEASE_TTL: '3s' },
  });

const rowsOf = (tool: string) => ({
  dataset: { rows: domainRows(4), key: 'domain' },
  columns: [{ name: 'answer', tool, input: { domain: '{{ row.domain }}' } }],
});

test('a worker that lacks a tool leaves its calls to the others and says which tools it has', async () => {
  const lab = await openLab();
  try {
    // Admits the map and is gone before anything was sent.
    const doomed = await lab.workerProcess({ SLUICE_CRASH_AT: 'call.before_send' });
    const map = await lab.start(rowsOf('acme.email'));
    await doomed.gone;
    const withoutEmail = ({ email: _, ...tools }: Tools): Tools => tools;
    const older = await lab.workerProcess({ SLUICE_PROVIDERS: await withTools(lab, 'older', withoutEmail) });
    expect(await whyHeld(lab, map.mapId, 'tool_unknown')).toContain(
      'this worker has no tool acme.email; it has acme.company,',
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

test('an answer is bought by the version of the tool that the map was admitted with, or by one that says it is the same', async () => {
  const lab = await openLab();
  try {
    const doomed = await lab.workerProcess({ SLUICE_CRASH_AT: 'call.before_send' });
    const map = await lab.start(rowsOf('acme.company'));
    await doomed.gone;
    const changed =
      (version: { version?: string }) =>
      (tools: Tools): Tools => ({
        ...tools,
        company: { ...tools.company, ...version, response: { value: '{{ body.data.name }}' } },
      });
    const other = await lab.workerProcess({ SLUICE_PROVIDERS: await withTools(lab, 'other', changed({})) });
    const why = await whyHeld(lab, map.mapId, 'tool_changed');
    const [, version] = /acme\.company has version [0-9a-f]{16}, that of the map is ([0-9a-f]{16});/.exec(why) ?? [];
    expect(lab.sim.ledger).toEqual([]);
    await other.kill();
    await lab.workerProcess({ SLUICE_PROVIDERS: await withTools(lab, 'same', changed({ version: `${version}` })) });
    expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: 4 } });
    expect(await map.table()).toMatchObject(Array.from({ length: 4 }, () => ({ answer: expect.any(String) })));
    expect(lab.sim.summary()).toMatchObject({ charges: 4, duplicateCharges: 0, repeatedCharges: 0 });
  } finally {
    await lab.close();
  }
});
