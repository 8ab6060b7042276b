// Admission: the spec is checked whole, the dataset copied and fixed, and only then is anything started.
import { createHash } from 'node:crypto';
import type { AdmitInput } from '../contracts/activity-io';
import { canonicalJson } from '../contracts/keys';
import type { Budget } from '../contracts/map-limits';
import type { Json } from '../contracts/outcomes';
import type { Admission, RowPlan, Timing } from '../contracts/plan';
import { type MapSpec, parseMapSpec } from '../contracts/schemas/map-spec';
import { asksForRedrive } from '../contracts/schemas/redrive-spec';
import { claiming, type RunningMaps } from './claim-outputs';
import type { Clock } from './clock';
import { admitDataset } from './datasets/admit-dataset';
import { estimateCalls } from './estimate-calls';
import { createForcedCalls } from './forced-calls';
import { existing } from './keep-earlier';
import { admittedColumns, checkDatabaseTables } from './map-tables';
import { isFile, outputFiles, type PlannedTable, plannedTables } from './output-paths';
import { type PlanRequest, planMap } from './plan-map';
import { admitRedrive, openRedrive } from './redrive-map';
import { admissionRefusal, refusal } from './refusal';
import type { SettlementPort } from './shared-call-port';
import { checkOutput } from './sinks/check-output';
import { parseJsonLines } from './store/json-lines';
import type { Manifest, RunStore } from './store/run-store';
import { tableFindings } from './table-problems';
import type { ToolRegistry } from './tools/tool-registry-types';
import { withHeartbeat } from './with-heartbeat';

/** A checked map and where it writes. */
interface OwnOutputs {
  mapId: string;
  runId: string;
  spec: MapSpec;
  plan: RowPlan;
  planned: PlannedTable[];
  files: string[];
}

export interface AdmitDeps extends RunningMaps {
  store: RunStore;
  tools: ToolRegistry;
  /** Folder under which relative paths of a spec are resolved. */
  dataRoot: string;
  /** Hosts with private addresses that datasets may come from. */
  privateHosts: readonly string[];
  timing: Omit<Timing, 'cancelGraceMs'>;
  /** Rows of a page and pages of a section, at most. */
  sizes: { pageRows: number; sectionPages: number };
  clock: Clock;
  settlements: SettlementPort;
}

function readSpec(raw: unknown): MapSpec {
  const reading = parseMapSpec(raw);
  if (!reading.ok) throw refusal('INVALID_SPEC', reading.problems);
  return reading.spec;
}

/** Null for a TypeScript map. */
function budgetOf({ limits }: MapSpec, plan: RowPlan): Budget | null {
  const row = estimateCalls(plan, 1);
  if (!row) return null;
  return {
    caps: { maxCalls: limits.maxCalls ?? null, maxCost: limits.maxCost ?? null },
    leastPerRow: { calls: row.least, cost: row.costLeast },
    perRow: { calls: row.most, cost: row.costMost },
  };
}

function admissionOf(spec: MapSpec, plan: RowPlan, manifest: Manifest, pagesPerSection: number): Admission {
  const { concurrency, onRowError } = spec;
  const { cardinality, pageRows, warnings, redrive } = manifest;
  const budget = budgetOf(spec, plan);
  return {
    plan,
    concurrency,
    onRowError,
    cardinality,
    pageRows,
    pagesPerSection,
    warnings,
    ...(budget ? { budget } : {}),
    ...(redrive ? { carried: redrive.carried } : {}),
  };
}

/** The `admitMap` activity. Safe to repeat: a run that has admitted its map gets the recorded numbers. */
export function createAdmitMap(deps: AdmitDeps): (input: AdmitInput) => Promise<Admission> {
  const { store, tools, dataRoot, privateHosts, timing, sizes, clock } = deps;

  function planOf(request: Omit<PlanRequest, 'tools' | 'timing'>): RowPlan {
    const { plan, problems } = planMap({ ...request, tools, timing });
    if (!plan) throw refusal('INVALID_SPEC', problems);
    return plan;
  }

  /** The same for a map that goes on with an earlier one. */
  async function admitAgain(input: AdmitInput): Promise<Admission> {
    const { mapId, runId, maps } = input;
    const start = await openRedrive(input, deps);
    const { spec, rootRunId } = start;
    const plan = planOf({ spec, mapId, runId: rootRunId, maps });
    const recorded = await store.readManifest(mapId);
    const manifest = recorded
      ? await store.createManifest(mapId, { ...recorded, runId })
      : await admitRedrive(input, start, plan, deps);
    return admissionOf(spec, plan, manifest, sizes.sectionPages);
  }

  async function admit({ mapId, runId, spec: raw, maps }: AdmitInput): Promise<Admission> {
    const spec = readSpec(raw);
    const plan = planOf({ spec, mapId, runId, maps });
    const recorded = await store.readManifest(mapId);
    if (recorded) {
      const manifest = await store.createManifest(mapId, { ...recorded, runId });
      return admissionOf(spec, plan, manifest, sizes.sectionPages);
    }
    const planned = plannedTables(spec, dataRoot);
    const files = outputFiles(spec, { dataRoot, mapId });
    await checkOutput(files, { overwrite: spec.output.overwrite });
    return claiming(files, mapId, deps, () => admitRows({ mapId, runId, spec, plan, planned, files }));
  }

  async function admitRows({ mapId, runId, spec, plan, planned, files }: OwnOutputs): Promise<Admission> {
    const forced = createForcedCalls(plan, spec);
    const replaces = await existing(planned.filter(isFile).map(({ path }) => path));
    const dataset = await admitDataset({
      dataset: spec.dataset,
      baseDir: dataRoot,
      hosts: { privateHosts },
      folder: store.folder(mapId),
      sizes: { pageRows: sizes.pageRows },
      ...(spec.limits.rows === undefined ? {} : { limitRows: spec.limits.rows }),
      onPage: (page, text) => {
        if (plan.force) forced.see(parseJsonLines(text));
        return store.writePage(mapId, page, text);
      },
    });
    await checkOutput(files, { overwrite: spec.output.overwrite, inputPaths: dataset.sourcePaths });
    forced.refuseMissing();
    const table = tableFindings(spec, dataset.columns);
    if (table.problems.length > 0) throw refusal('INVALID_SPEC', table.problems);
    await checkDatabaseTables(planned, { spec, mapId, owner: runId, ...admittedColumns(spec, dataset.columns) });
    const manifest = await store.createManifest(mapId, {
      mapId,
      runId,
      spec: spec as unknown as Json,
      specDigest: createHash('sha256').update(canonicalJson(spec)).digest('hex'),
      spoolDigest: dataset.spool.sha256,
      columns: dataset.columns,
      cardinality: dataset.cardinality,
      pageRows: dataset.pageRows,
      warnings: [...forced.warnings(), ...dataset.warnings, ...table.warnings],
      createdAtMs: clock.wallMs(),
      ...(replaces.length > 0 ? { replaces } : {}),
    });
    return admissionOf(spec, plan, manifest, sizes.sectionPages);
  }

  return (input) =>
    withHeartbeat(async () => {
      try {
        return await (asksForRedrive(input.spec) ? admitAgain(input) : admit(input));
      } catch (error) {
        throw admissionRefusal(error) ?? error;
      }
    });
}
