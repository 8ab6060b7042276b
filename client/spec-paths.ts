// Which parts of a spec name files, and those made absolute from the folder of the spec file.
import { isAbsolute, resolve } from 'node:path';

/** Where a spec names a file: the dataset that is read, the table that is written. */
const FILE_FIELDS = { dataset: ['csv', 'jsonl'], output: ['csv', 'jsonl'] } as const;

type JsonObject = { [name: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A name with a scheme, such as https://, is not a path of this machine. */
const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text);

/** The spec as it is sent: relative file names resolved from `folder` (absolute). The value is copied, not changed. */
export function withAbsolutePaths(raw: unknown, folder: string): unknown {
  if (!isObject(raw)) return raw;
  const copy: JsonObject = { ...raw };
  for (const [part, fields] of Object.entries(FILE_FIELDS)) {
    const section = copy[part];
    if (!isObject(section)) continue;
    copy[part] = Object.fromEntries(
      Object.entries(section).map(([name, value]) => [
        name,
        (fields as readonly string[]).includes(name) && isRelativePath(value) ? resolve(folder, value) : value,
      ]),
    );
  }
  return copy;
}

const isRelativePath = (value: unknown): value is string =>
  typeof value === 'string' && !isUrl(value) && !isAbsolute(value);

/** The local file a spec reads; null when it reads something else, such as rows in the spec or a URL. */
export function localDataset(raw: unknown): { field: string; path: string } | null {
  const dataset = isObject(raw) ? raw.dataset : undefined;
  if (!isObject(dataset)) return null;
  for (const field of FILE_FIELDS.dataset) {
    const path = dataset[field];
    if (typeof path === 'string' && !isUrl(path)) return { field: `dataset.${field}`, path };
  }
  return null;
}
