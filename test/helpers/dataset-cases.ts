// The table of dataset cases: input bytes, options for the reader, and what each expects.
import table from '../cases/dataset-cases.json';

interface ExpectedError {
  code: string;
  scope: 'file' | 'row';
  at?: { line?: number; lines?: number[]; byte?: number; field?: number; column?: number; path?: string };
  messageIncludes?: string[];
}

export interface DatasetCase {
  id: string;
  title: string;
  format: string;
  inputText?: string;
  inputBase64?: string;
  options: { [name: string]: unknown };
  expect: { [name: string]: unknown } & { error?: ExpectedError; warnings?: string[] };
}

export const ALL_CASES = table as unknown as DatasetCase[];

/** Cases of some formats. */
export const casesOf = (...formats: string[]): DatasetCase[] =>
  ALL_CASES.filter(({ format }) => formats.includes(format));

export function caseById(id: string): DatasetCase {
  const found = ALL_CASES.find((one) => one.id === id);
  if (!found) throw new Error(`no dataset case ${id}`);
  return found;
}

/** Input as bytes, with `options.expand` carried out. */
export function inputBytes({ inputText, inputBase64, options }: DatasetCase): Buffer {
  if (inputBase64 !== undefined) return Buffer.from(inputBase64, 'base64');
  const expansions = (options.expand ?? []) as { token: string; text: string; times: number }[];
  const text = expansions.reduce(
    (whole, { token, text: part, times }) => whole.replace(token, part.repeat(times)),
    inputText ?? '',
  );
  return Buffer.from(text);
}

/** Compares an error with what the case expects of it, wording excepted. */
export function expectCaseError(error: unknown, { expect: { error: wanted } }: DatasetCase): void {
  const { messageIncludes = [], at, code, scope } = wanted!;
  expect(error).toMatchObject({ code, scope, ...(at && { at }) });
  for (const part of messageIncludes) expect((error as Error).message).toContain(part);
}
