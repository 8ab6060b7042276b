// What admission would say of a spec, all of it at once and without a trace: nothing is started, stored or written.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckedDataset, CheckProblem, CheckReport } from '../contracts/check-report';
import type { MapFailureCode, Problem } from '../contracts/failures';
import { HEARTBEAT_TIMEOUT_MS, PARKED_AFTER_MS } from '../contracts/limits';
import type { AdmittedRow } from '../contracts/plan';
import { type MapSpec, parseMapSpec } from '../contracts/schemas/map-spec';
import type { AdmittedDataset } from './datasets/admission-types';
import { admitDataset } from './datasets/admit-dataset';
import { estimateCalls } from './estimate-calls';
import { admittedColumns, checkDatabaseTables } from './map-tables';
import { outputFiles, plannedTables } from './output-paths';
import { planMap } from './plan-map';
import { admissionRefusal } from './refusal';
import { checkPlaces } from './sinks/check-output';
import { parseJsonLines } from './store/json-lines';
import { tableFindings } from './table-problems';
import { ProviderFileError } from './tools/provider-file-error';
import type { ToolRegistry } from './tools/tool-registry-types';

export interface CheckDeps {
  /** Rejects with a ProviderFileError when the provider files are wrong. */
  loadTools(): Promise<ToolRegistry>;
  /** Names of the TypeScript maps. */
  maps: readonly string[];
  dataRoot: string;
  privateHosts: readonly string[];
}

export interface CheckRequest {
  spec: unknown;
  /** How many of the first rows the report shows. */
  showRows: number;
}

const TIMING = { heartbeatTimeoutMs: HEARTBEAT_TIMEOUT_MS, parkedAfterMs: PARKED_AFTER_MS };

const withCode = (code: CheckProblem['code'], problems: readonly Problem[]): CheckProblem[] =>
  problems.map((problem) => ({ code, ...problem }));

/** The problems of what would refuse an admission; any other error is thrown on. */
async function refusedBy(work: () => Promise<void>): Promise<CheckProblem[]> {
  try {
    await work();
    return [];
  } catch (error) {
    const refusal = admissionRefusal(error);
    if (!refusal) throw error;
    return withCode(refusal.type as MapFailureCode, (refusal.details?.[0] ?? []) as Problem[]);
  }
}

async function readTools(load: CheckDeps['loadTools']): Promise<ToolRegistry | CheckProblem[]> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof ProviderFileError) return withCode('PROVIDER_FILE_INVALID', error.problems);
    throw error;
  }
}

/** Reads the whole dataset into a temporary folder, which is removed again. */
async function readDataset(spec: MapSpec, { dataRoot, privateHosts }: CheckDeps, showRows: number) {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-check-'));
  const firstRows: AdmittedRow[] = [];
  let admitted: AdmittedDataset | null = null;
  try {
    const problems = await refusedBy(async () => {
      admitted = await admitDataset({
        dataset: spec.dataset,
        baseDir: dataRoot,
        hosts: { privateHosts },
        folder,
        isTrial: true,
        ...(spec.limits.rows === undefined ? {} : { limitRows: spec.limits.rows }),
        onPage: async (_page, text) => {
          const missing = showRows - firstRows.length;
          if (missing > 0) firstRows.push(...parseJsonLines<AdmittedRow>(text).slice(0, missing));
        },
      });
    });
    return { problems, firstRows, admitted: admitted as AdmittedDataset | null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const checkedDataset = (admitted: AdmittedDataset, firstRows: readonly AdmittedRow[]): CheckedDataset => ({
  columns: admitted.columns,
  firstRows: firstRows.map(({ line, input }) => ({ line, input })),
  cardinality: admitted.cardinality,
  repeats: admitted.repeats,
  pages: admitted.pageRows.length,
  bytes: admitted.spool.bytes,
});

/** Checks a spec that may be of any form. One part that is wrong hides nothing of the others. */
export async function checkMap({ spec: raw, showRows }: CheckRequest, deps: CheckDeps): Promise<CheckReport> {
  const reading = parseMapSpec(raw);
  if (!reading.ok)
    return { problems: withCode('INVALID_SPEC', reading.problems), warnings: [], dataset: null, calls: null };
  const { spec } = reading;
  const tools = await readTools(deps.loadTools);
  const plan = Array.isArray(tools)
    ? null
    : planMap({ spec, mapId: 'check', runId: 'check', tools, maps: deps.maps, timing: TIMING });
  const { admitted, firstRows, problems } = await readDataset(spec, deps, showRows);
  const table = admitted ? tableFindings(spec, admitted.columns) : { problems: [], warnings: [] };
  const output = await refusedBy(async () => {
    const planned = plannedTables(spec, deps.dataRoot);
    await checkPlaces(outputFiles(spec, { dataRoot: deps.dataRoot, mapId: 'check' }), {
      overwrite: spec.output.overwrite,
      inputPaths: admitted?.sourcePaths ?? [],
    });
    if (admitted && table.problems.length === 0)
      await checkDatabaseTables(planned, {
        spec,
        mapId: 'check',
        owner: 'check',
        ...admittedColumns(spec, admitted.columns),
      });
  });
  const rows = admitted?.cardinality.uniqueInputRows;
  return {
    problems: [
      ...(Array.isArray(tools) ? tools : []),
      ...withCode('INVALID_SPEC', plan?.problems ?? []),
      ...problems,
      ...withCode('INVALID_SPEC', table.problems),
      ...output,
    ],
    warnings: [...(admitted?.warnings ?? []), ...table.warnings],
    dataset: admitted && checkedDataset(admitted, firstRows),
    calls: plan?.plan && rows !== undefined ? estimateCalls(plan.plan, rows) : null,
  };
}
