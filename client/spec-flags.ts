// How flags of the command line travel inside the spec: a worker sees one document, whoever started the map.
import { isObject } from './spec-paths';

export interface SpecFlags {
  /** Only the first N rows of the source, under the same identities. */
  limit?: number;
  /** Replace a table that exists. */
  overwrite?: boolean;
  /** Calls and money that the map may spend. */
  maxCalls?: number;
  maxCost?: number;
  /** Calls that buy anew what an earlier run has bought. */
  forceColumn?: string[];
  forceRows?: string[];
  forceTool?: string[];
}

/** The spec with `limits`, `force` and `output.overwrite` set where a flag asks for them. */
export function withFlags(raw: unknown, flags: SpecFlags): unknown {
  if (!isObject(raw)) return raw;
  const copy = { ...raw };
  const limits = {
    ...(flags.limit === undefined ? {} : { rows: flags.limit }),
    ...(flags.maxCalls === undefined ? {} : { maxCalls: flags.maxCalls }),
    ...(flags.maxCost === undefined ? {} : { maxCost: flags.maxCost }),
  };
  if (Object.keys(limits).length > 0) copy.limits = { ...(isObject(raw.limits) ? raw.limits : {}), ...limits };
  if (flags.overwrite) copy.output = { ...(isObject(raw.output) ? raw.output : {}), overwrite: true };
  const force = {
    ...(flags.forceColumn === undefined ? {} : { columns: flags.forceColumn }),
    ...(flags.forceRows === undefined ? {} : { rows: flags.forceRows }),
    ...(flags.forceTool === undefined ? {} : { tools: flags.forceTool }),
  };
  if (Object.keys(force).length > 0) copy.force = { ...(isObject(raw.force) ? raw.force : {}), ...force };
  return copy;
}
