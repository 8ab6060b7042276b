// How flags of the command line travel inside the spec: a worker sees one document, whoever started the map.
import { isObject } from './spec-paths';

export interface SpecFlags {
  /** Only the first N rows of the source, under the same identities. */
  limit?: number;
  /** Replace a table that exists. */
  overwrite?: boolean;
}

/** The spec with `limits.rows` and `output.overwrite` set where a flag asks for them. */
export function withFlags(raw: unknown, flags: SpecFlags): unknown {
  if (!isObject(raw)) return raw;
  const copy = { ...raw };
  if (flags.limit !== undefined) copy.limits = { ...(isObject(raw.limits) ? raw.limits : {}), rows: flags.limit };
  if (flags.overwrite) copy.output = { ...(isObject(raw.output) ? raw.output : {}), overwrite: true };
  return copy;
}
