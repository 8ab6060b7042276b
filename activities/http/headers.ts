// Looks up header lines. A name may come on several lines, and all of them count.
import type { HeaderLine } from './verdict';

/** Values by lower-case name, in order of arrival. */
export type Headers = ReadonlyMap<string, readonly string[]>;

export function indexHeaders(rawHeaders: readonly HeaderLine[]): Headers {
  const index = new Map<string, string[]>();
  for (const [name, value] of rawHeaders) {
    const key = name.toLowerCase();
    const lines = index.get(key);
    if (lines) lines.push(value);
    else index.set(key, [value]);
  }
  return index;
}

export const headerLines = (headers: Headers, name: string): readonly string[] => headers.get(name) ?? [];

export const firstHeader = (headers: Headers, name: string): string | undefined => headers.get(name)?.[0];
