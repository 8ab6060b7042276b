// `npm run replay:record`: runs every scenario on a dev server of its own and writes its histories anew. With names: only those.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';

import { exportWorkflowId, gateWorkflowId, pageWorkflowId, sectionWorkflowId, sharedCallId } from '../../contracts/ids';

import { WORKFLOW } from '../../contracts/names';
import { startDevServer } from '../helpers/dev-server';
import { type MapLab, openMapLab } from '../helpers/map-lab';
import { SCENARIOS, type Scenario } from './scenarios';
import { type Replacements, scrub } from './scrub';
import { HISTORIES_FOLDER } from './stored-histories';

const ROOT = resolve(__dirname, '../..');

const historyOf = ({ client }: MapLab, workflowId: string, runId?: string) =>
  client.workflow.getHandle(workflowId, runId).fetchHistory();

/** Rows in the order in which their page started them. */
async function rowsOf(lab: MapLab, workflowId: string): Promise<string[]> {
  const { events } = await historyOf(lab, workflowId);
  return (events ?? []).flatMap(({ startChildWorkflowExecutionInitiatedEventAttributes: child }) =>
    child?.workflowType?.name === WORKFLOW.mapRow && child.workflowId ? [child.workflowId] : [],
  );
}

/** Runs of a gate, the first one first. */
async function gateRunsOf({ client }: MapLab, gate: string): Promise<string[]> {
  const runs: { runId: string; atMs: number }[] = [];
  const query = `WorkflowId = '${gate}'`;
  for await (const { runId, startTime } of client.workflow.list({ query })) runs.push({ runId, atMs: +startTime });
  return runs.sort((a, b) => a.atMs - b.atMs).map(({ runId }) => runId);
}

/** Runs of the shared calls of acme, in the order in which they were started. */
async function callRunsOf({ client }: MapLab): Promise<{ workflowId: string; runId: string }[]> {
  const tools = ['acme.company', 'acme.research'];
  const runs: { workflowId: string; runId: string; atMs: number }[] = [];
  for await (const run of client.workflow.list({ query: `WorkflowType = '${WORKFLOW.sharedCall}'` })) {
    const { workflowId, runId, startTime } = run;
    if (tools.some((tool) => workflowId.startsWith(sharedCallId(tool, ''))))
      runs.push({ workflowId, runId, atMs: +startTime });
  }
  return runs.sort((a, b) => a.atMs - b.atMs);
}

/** What a person said of calls, in the order in which they did. */
async function settlementsOf({ client }: MapLab): Promise<string[]> {
  const found: { workflowId: string; atMs: number }[] = [];
  for await (const { workflowId, startTime } of client.workflow.list({
    query: `WorkflowType = '${WORKFLOW.settledCall}'`,
  })) {
    found.push({ workflowId, atMs: +startTime });
  }
  return found.sort((a, b) => a.atMs - b.atMs).map(({ workflowId }) => workflowId);
}

/** One event a line, so that a change can be read. */
async function keep(lab: MapLab, workflowId: string, name: string, runId?: string): Promise<number> {
  const replacements: Replacements = [
    [lab.folder, 'lab'],
    [ROOT, 'sluice'],
    [lab.sim.url, 'http://provider.example'],
    [`sluice/${hostname()}/`, 'sluice/recorder/'],
    [`"worker":"${hostname()}/`, '"worker":"recorder/'],
    [`${userInfo().username}@${hostname()}`, 'person@recorder'],
  ];
  const { events } = JSON.parse(historyToJSON(await historyOf(lab, workflowId, runId)));
  const lines = (scrub(events, replacements) as unknown[]).map((event) => JSON.stringify(event));
  const text = `{"events":[\n${lines.join(',\n')}\n]}\n`;
  await writeFile(join(HISTORIES_FOLDER, `${name}.json`), text);
  return text.length;
}

async function record(
  { name, lab: options, spec, before, during, keep: kept }: Scenario,
  address: string,
): Promise<void> {
  const lab = await openMapLab({ ...options, address });
  try {
    await before?.(lab);
    const map = await lab.start(spec, name);
    if (during) await during(lab, map);
    else await lab.worker();
    await map.result().catch(() => undefined); // failing is part of some lives
    const page = pageWorkflowId(map.mapId, 0);
    const wanted: [workflowId: string, file: string, runId?: string][] = [];
    if (kept.map) wanted.push([map.mapId, `${name}.map`]);
    if (kept.export) wanted.push([exportWorkflowId(map.mapId), `${name}.export`]);
    if (kept.section) wanted.push([sectionWorkflowId(map.mapId, 0), `${name}.section`]);
    if (kept.page) wanted.push([page, `${name}.page`]);
    const rows = kept.rows ? (await rowsOf(lab, page)).slice(0, kept.rows) : [];
    wanted.push(...rows.map((row, number): [string, string] => [row, `${name}.row-${number}`]));
    const gate = gateWorkflowId('acme', 'default', kept.gateUnit);
    const runs = kept.gateRuns ? (await gateRunsOf(lab, gate)).slice(0, kept.gateRuns) : [];
    for (const [number, runId] of runs.entries()) wanted.push([gate, `${name}.gate-${number}`, runId]);
    const calls = kept.callRuns ? (await callRunsOf(lab)).slice(0, kept.callRuns) : [];
    for (const [number, { workflowId, runId }] of calls.entries()) {
      wanted.push([workflowId, `${name}.call-${number}`, runId]);
    }
    const settlements = kept.settlements ? (await settlementsOf(lab)).slice(0, kept.settlements) : [];
    wanted.push(...settlements.map((id, number): [string, string] => [id, `${name}.settlement-${number}`]));
    let bytes = 0;
    for (const one of wanted) bytes += await keep(lab, ...one);
    process.stdout.write(`${name}: ${wanted.length} histories, ${bytes} bytes\n`);
  } finally {
    await lab.close();
  }
}

async function forget({ name }: Scenario): Promise<void> {
  const files = (await readdir(HISTORIES_FOLDER)).filter((file) => file.startsWith(`${name}.`));
  await Promise.all(files.map((file) => rm(join(HISTORIES_FOLDER, file))));
}

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    throw new Error(`no scenario ${unknown.join(', ')}; there are ${SCENARIOS.map(({ name }) => name).join(', ')}`);
  }
  await mkdir(HISTORIES_FOLDER, { recursive: true });
  const server = await startDevServer();
  try {
    for (const scenario of SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name))) {
      await forget(scenario);
      await record(scenario, server.address);
    }
  } finally {
    await server.stop();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
