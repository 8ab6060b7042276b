// What an expression threw, as text.

/** JSONata throws plain objects with a message and a position. */
export function reasonOf(error: unknown): string {
  const { message, position } = error as { message?: string; position?: number };
  return `${message ?? String(error)}${position === undefined ? '' : ` (at character ${position} of the expression)`}`;
}
