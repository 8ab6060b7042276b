// From a valid spec to the plan that every row carries; says by path what the worker cannot do. Pure.
import { parseDuration } from '../contracts/duration';
import type { Problem } from '../contracts/failures';
import type { JobPlan } from '../contracts/job';
import { CANCEL_GRACE_MS, PLAN_BYTES } from '../contracts/limits';
import type { Json } from '../contracts/outcomes';
import type { ColumnPlan, Program, RowPlan, Timing, ToolPlan } from '../contracts/plan';
import { legsOf } from '../contracts/schemas/column-spec';
import type { MapSpec } from '../contracts/schemas/map-spec';
import { formatPath } from '../contracts/schemas/read-by';
import { didYouMean } from '../contracts/suggest';
import { parseTemplate, templateTexts } from '../contracts/template';
import { isBounded } from './expressions/bounded';
import { forceOf } from './forced-calls';
import { syntaxProblem } from './tools/expressions';
import type { JobRules } from './tools/tool';
import type { ToolRegistry } from './tools/tool-registry-types';

export interface PlanRequest {
  spec: MapSpec;
  mapId: string;
  runId: string;
  tools: ToolRegistry;
  /** Names of the TypeScript maps of the worker. */
  maps: readonly string[];
  timing: Omit<Timing, 'cancelGraceMs'>;
}

export type PlanReading = { plan: RowPlan; problems: [] } | { plan: null; problems: Problem[] };

const jobPlan = ({ deadlineMs, canCancel }: JobRules): JobPlan => ({ deadlineMs, canCancel });

/** Collects the tools of a plan under `<tool>@<account>` and the problems with them. */
class PlanTools {
  readonly plans: RowPlan['tools'] = {};
  readonly problems: Problem[] = [];

  constructor(private readonly tools: ToolRegistry) {}

  /** Account that the call uses; null when the tool or the account cannot be had. */
  add(name: string, account: string | undefined, path: string): string | null {
    const tool = this.tools.get(name);
    const problem = (message: string, where = path) => {
      this.problems.push({ path: where, message });
      return null;
    };
    if (!tool) {
      const known = this.tools.names();
      return problem(
        `the worker has no tool ${JSON.stringify(name)}${didYouMean(name, known)}; it has ${known.join(', ')}`,
      );
    }
    const used = account ?? this.tools.defaultAccount(tool);
    if (used === null)
      return problem(`${name} has the accounts ${tool.accounts.join(', ')}; expected one of them as account`);
    if (!tool.accounts.includes(used)) {
      return problem(`${tool.provider} has no account ${JSON.stringify(used)}; it has ${tool.accounts.join(', ')}`);
    }
    const { provider, version, effect, price, idempotent, timeoutMs, giveUpAfterMs, share, maxAgeSeconds } = tool;
    const taskQueue = this.tools.taskQueue(tool, used);
    const plan: ToolPlan = {
      tool: name,
      version,
      provider,
      account: used,
      taskQueue,
      effect,
      price,
      idempotent,
      timeoutMs,
      giveUpAfterMs,
      share,
      ...(maxAgeSeconds === null ? {} : { maxAgeSeconds }),
      ...(tool.job ? { job: jobPlan(tool.job) } : {}),
    };
    this.plans[`${name}@${used}`] = plan;
    return used;
  }
}

/** The schema has checked the braces; here every expression must be JSONata, for which the schema has no parser. */
function expressionProblems(columns: MapSpec['columns']): Problem[] {
  const texts = [...templateTexts((columns ?? []) as Json, ['columns'])];
  return texts.flatMap(({ at, text }) =>
    parseTemplate(text).flatMap((part) => {
      const reason = part.kind === 'expression' ? syntaxProblem(part.expression) : null;
      return reason === null ? [] : [{ path: formatPath(at), message: `not a JSONata expression: ${reason}` }];
    }),
  );
}

/** Expressions that the rows must not evaluate in workflow code, each once; all of them are JSONata. */
function expressionsApart(columns: MapSpec['columns']): string[] {
  const parts = [...templateTexts((columns ?? []) as Json)].flatMap(({ text }) => parseTemplate(text));
  const expressions = parts.flatMap((part) => (part.kind === 'expression' ? [part.expression] : []));
  return [...new Set(expressions)].filter((expression) => !isBounded(expression));
}

function columnPlans(spec: MapSpec, tools: PlanTools): ColumnPlan[] {
  return (spec.columns ?? []).map((column, index) => {
    const path = `columns[${index}]`;
    const plan: ColumnPlan = { name: column.name };
    if (column.runIf !== undefined) plan.runIf = column.runIf;
    const legs = legsOf(column);
    if (!legs) return { ...plan, value: column.value ?? null };
    plan.legs = legs.map((leg, at) => {
      const where = column.waterfall ? `${path}.waterfall[${at}].tool` : `${path}.tool`;
      const { tool, input, maxAgeSeconds } = leg;
      const age = maxAgeSeconds === undefined ? {} : { maxAgeSeconds };
      return { tool, account: tools.add(tool, leg.account, where) ?? '', input, ...age };
    });
    return plan;
  });
}

function programOf({ spec, tools: registry, maps }: PlanRequest, tools: PlanTools): Program {
  if (spec.map === undefined) return { kind: 'columns', columns: columnPlans(spec, tools) };
  if (!maps.includes(spec.map)) {
    const message = `the worker has no map ${JSON.stringify(spec.map)}${didYouMean(spec.map, maps)}; it has ${maps.join(', ') || 'none'}`;
    tools.problems.push({ path: 'map', message });
  }
  if (spec.tools) for (const [index, name] of spec.tools.entries()) addEveryAccount(name, `tools[${index}]`);
  else for (const name of registry.names()) addEveryAccount(name, 'tools');
  return { kind: 'typescript', map: spec.map };

  /** A row program chooses the account when it runs. */
  function addEveryAccount(name: string, path: string): void {
    const accounts = registry.get(name)?.accounts ?? [undefined];
    for (const account of accounts) tools.add(name, account, path);
  }
}

/** A tool that no call of the map uses would force nothing, unnoticed. */
function forceProblems({ force }: MapSpec, plans: RowPlan['tools']): Problem[] {
  const known = [...new Set(Object.values(plans).map(({ tool }) => tool))];
  return (force?.tools ?? []).flatMap((tool, index) =>
    known.includes(tool)
      ? []
      : [{ path: `force.tools[${index}]`, message: `the map calls no ${tool}; it calls ${known.join(', ')}` }],
  );
}

/** Columns of the table that the spec names, beyond those of the dataset; unknown until the end for a TypeScript map. */
export const resultColumns = (spec: MapSpec): string[] | null => spec.columns?.map(({ name }) => name) ?? null;

function keyOf({ dataset }: MapSpec): Pick<RowPlan, 'key'> {
  const key = dataset.key ?? dataset.postgres?.key;
  return key === undefined ? {} : { key: [key].flat() };
}

/** Resolves tools, accounts and expressions. Every problem is listed; no plan is made when there is one. */
export function planMap(request: PlanRequest): PlanReading {
  const { spec, mapId, runId, timing } = request;
  const tools = new PlanTools(request.tools);
  const program = programOf(request, tools);
  const unparsed = expressionProblems(spec.columns);
  const problems = [...tools.problems, ...forceProblems(spec, tools.plans), ...unparsed];
  const apart = unparsed.length > 0 ? [] : expressionsApart(spec.columns);
  const cancelGraceMs = spec.cancelGrace === undefined ? CANCEL_GRACE_MS : parseDuration(spec.cancelGrace);
  const plan: RowPlan = {
    mapId,
    runId,
    name: spec.name,
    program,
    tools: tools.plans,
    timing: { ...timing, cancelGraceMs },
    ...keyOf(spec),
    ...(spec.force ? { force: forceOf(spec, spec.force) } : {}),
    stopsWhenExhausted: true,
    ...(apart.length > 0 ? { apart } : {}),
  };
  const bytes = Buffer.byteLength(JSON.stringify(plan));
  if (bytes > PLAN_BYTES) {
    problems.push({
      path: 'columns',
      message: `the plan of a row is ${bytes} bytes, expected at most ${PLAN_BYTES}; name fewer tools or shorten inputs`,
    });
  }
  const [first, ...rest] = problems;
  return first ? { plan: null, problems: [first, ...rest] } : { plan, problems: [] };
}
