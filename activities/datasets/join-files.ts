// Several files as one dataset: in bytewise order of their paths, since listings differ between file systems.
import { sha256Hex } from '../store/json-lines';
import { DatasetError } from './dataset-error';
import type { DatasetReader, ReaderReport, RecordCursor, RecordStream, SourceRecord } from './dataset-reader';
import { shownSource } from './http/open-url';
import type { OpenDataset } from './open-file';

interface Part extends OpenDataset {
  /** Path below the folder that all files share: the same wherever that folder lies. */
  name: string;
}

/** Opens each file in order. Headers must have the same names; throws E_HEADER_DIFFERS, and the errors of a file with its name. */
export async function openFiles(
  paths: readonly string[],
  open: (path: string) => Promise<OpenDataset>,
): Promise<OpenDataset> {
  const sorted = paths.toSorted((one, other) => Buffer.from(one).compare(Buffer.from(other)));
  const repeated = sorted.find((path, at) => path === sorted[at + 1]);
  if (repeated !== undefined) throw new DatasetError('E_OPTION', 'file', `${shownSource(repeated)} is named twice`);
  const parts: Part[] = [];
  for (const path of sorted) {
    const name = shownSource(path.slice(sharedFolder(sorted).length));
    parts.push({ ...(await inFile(name, () => open(path))), name });
  }
  checkHeaders(parts);
  return {
    reader: joinReaders(parts),
    spool: {
      path: parts[0]!.spool.path,
      sha256: sha256Hex(JSON.stringify(parts.map(({ name, spool }) => [name, spool.sha256]))),
      bytes: parts.reduce((sum, { spool }) => sum + spool.bytes, 0),
    },
    sourcePaths: parts.flatMap(({ sourcePaths }) => sourcePaths),
    warnings: parts.flatMap(({ name, warnings }) => warnings.map((warning) => ofFile(name, warning))),
    compare: async () =>
      (
        await Promise.all(
          parts.map(async (part) => (await part.compare()).map((warning) => ofFile(part.name, warning))),
        )
      ).flat(),
  };
}

/** With the slash at its end; empty when the paths share none. */
function sharedFolder(paths: readonly string[]): string {
  const folders = paths.map((path) => path.split('/').slice(0, -1));
  const [first = [], ...others] = folders;
  const length = first.findIndex((folder, at) => others.some((other) => other[at] !== folder));
  const shared = first.slice(0, length < 0 ? Math.min(...folders.map((folder) => folder.length)) : length);
  return shared.length === 0 ? '' : `${shared.join('/')}/`;
}

const ofFile = (name: string, warning: string): string => warning.replace(/^(W_[A-Z_]+): /, `$1: ${name}: `);

const errorIn = (name: string, error: unknown): unknown =>
  error instanceof DatasetError && error.at.source === undefined
    ? new DatasetError(error.code, error.scope, error.message, { ...error.at, source: name }, { cause: error })
    : error;

async function inFile<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw errorIn(name, error);
  }
}

function checkHeaders([first, ...others]: readonly Part[]): void {
  const names = ({ reader }: Part) => JSON.stringify(reader.header?.toSorted() ?? null);
  const different = others.find((part) => names(part) !== names(first!));
  if (!different) return;
  const shown = ({ name, reader }: Part) => `${name} has ${JSON.stringify(reader.header)}`;
  const message = `the files have different columns: ${shown(first!)}, ${shown(different)}`;
  throw new DatasetError('E_HEADER_DIFFERS', 'file', message);
}

/** Records of all parts in order. Positions count anew in each file, so that a file before it shifts no identity. */
function joinReaders(parts: readonly Part[]): DatasetReader {
  return {
    header: parts[0]!.reader.header,
    headerLine: parts[0]!.reader.headerLine,
    read(from?: RecordCursor): RecordStream {
      const reports: ReaderReport[] = [];
      return { records: recordsOf(parts, from, reports), report: () => joinReports(reports) };
    },
  };
}

async function* recordsOf(
  parts: readonly Part[],
  from: RecordCursor | undefined,
  reports: ReaderReport[],
): AsyncGenerator<SourceRecord> {
  const start = from === undefined ? 0 : parts.findIndex(({ name }) => name === from.file?.name);
  let recordsBefore = from?.file?.recordsBefore ?? 0;
  for (const { name, reader } of parts.slice(Math.max(0, start))) {
    const stream = reader.read(reports.length === 0 ? from : undefined);
    let records = reports.length === 0 ? (from?.ordinal ?? 0) : 0;
    const at = reports.push(stream.report()) - 1;
    try {
      for await (const record of stream.records) {
        const { cursor, outcome } = record;
        const placed = 'error' in outcome ? { error: errorIn(name, outcome.error) as DatasetError } : outcome;
        yield { ...record, cursor: { ...cursor, file: { name, recordsBefore } }, outcome: placed };
        records += 1;
      }
    } catch (error) {
      throw errorIn(name, error);
    }
    const { warnings, ...rest } = stream.report();
    reports[at] = { ...rest, warnings: warnings.map((warning) => ofFile(name, warning)) };
    recordsBefore += records;
  }
}

const joinReports = (reports: readonly ReaderReport[]): ReaderReport => ({
  columns: [...new Set(reports.flatMap(({ columns }) => columns))],
  blank: reports.reduce((sum, { blank }) => sum + blank, 0),
  warnings: reports.flatMap(({ warnings }) => warnings),
});
