// Which calls of a map buy anew although an earlier run has bought their answer.

/** Each part that is there narrows it down: these columns, of these rows, with these tools. `rows`: identities. */
export interface Force {
  columns?: string[];
  rows?: string[];
  tools?: string[];
}

/** True when the call is meant by all parts that are there. */
export function isForced(force: Force | undefined, call: { column: string; row: string; tool: string }): boolean {
  if (force === undefined) return false;
  const includes = (names: readonly string[] | undefined, name: string) => names === undefined || names.includes(name);
  return includes(force.columns, call.column) && includes(force.rows, call.row) && includes(force.tools, call.tool);
}
