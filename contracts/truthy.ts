// When a condition of a spec or a provider file counts as true.

/** The rules of JSONata's `$boolean` for JSON values: "", 0, null, nothing, {} and lists without a true item are false. */
export function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTruthy);
  if (value !== null && typeof value === 'object') return Object.keys(value).length > 0;
  return Boolean(value);
}
