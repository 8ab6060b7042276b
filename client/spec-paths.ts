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
        (fields as readonly string[]).includes(name) ? absolute(value, folder) : value,
      ]),
    );
  }
  return copy;
}

/** A path, or each of a list of paths. */
const absolute = (value: unknown, folder: string): unknown =>
  Array.isArray(value)
    ? value.map((one) => absolute(one, folder))
    : isRelativePath(value)
      ? resolve(folder, value)
      : value;

const isRelativePath = (value: unknown): value is string =>
  typeof value === 'string' && !isUrl(value) && !isAbsolute(value);

/** The local files a spec reads; none when it reads something else, such as rows in the spec or a URL. */
export function localFiles(raw: unknown): { field: string; path: string }[] {
  const dataset = isObject(raw) ? raw.dataset : undefined;
  if (!isObject(dataset)) return [];
  return FILE_FIELDS.dataset.flatMap((name) => {
    const value = dataset[name];
    const paths = Array.isArray(value) ? value : [value];
    return paths.flatMap((path, at) => {
      if (typeof path !== 'string' || isUrl(path)) return [];
      return [{ field: `dataset.${name}${Array.isArray(value) ? `[${at}]` : ''}`, path }];
    });
  });
}
