// Port of the run store: what a map keeps between its activities. Every operation is safe to repeat after a crash.
import type { FinishInput } from '../../contracts/activity-io';
import type { Cardinality } from '../../contracts/cardinality';
import type { Json, StoredValue } from '../../contracts/outcomes';
import type { AdmittedRow } from '../../contracts/plan';
import type { RedriveOrigin } from '../../contracts/redrive';
import type { RowCounts, RowResult } from '../../contracts/results';
import { countLines, sha256Hex } from './json-lines';
import { RunStoreError } from './run-store-error';
import { partName } from './store-layout';

export { RunStoreError };

/** What admission fixed for one map, written last: a map that has one is admitted. */
export interface Manifest {
  mapId: string;
  /** Run of the datasetMap execution that admitted the rows. */
  runId: string;
  /** The authored spec and the sha256 of its JSON text, 64 hex digits. */
  spec: Json;
  specDigest: string;
  /** sha256 of the spooled source, 64 hex digits. */
  spoolDigest: string;
  /** Source columns in source order; an array, since JavaScript objects reorder names such as "2". */
  columns: string[];
  cardinality: Cardinality & { blank: number };
  /** Rows of each page, in order. */
  pageRows: number[];
  warnings: string[];
  createdAtMs: number;
  /** Tables that were there at admission, which the spec allows to replace. */
  replaces?: string[];
  /** The map goes on with an earlier one, whose rows and outcomes it takes over; pages hold only what is run again. */
  redrive?: RedriveOrigin & { rootRunId: string; carried: RowCounts };
}

/** One flushed part as it lies in the store: `bytes` and `sha256` of its JSON Lines text, `rows` its outcomes. */
export interface PartRecord {
  name: string;
  part: number;
  bytes: number;
  sha256: string;
  rows: number;
}

/** The record of a part of this text. */
export const partRecord = (part: number, bytes: Buffer): PartRecord => ({
  name: partName(part),
  part,
  bytes: bytes.length,
  sha256: sha256Hex(bytes),
  rows: countLines(bytes),
});

/** What is recorded, for the run that recorded it; RunStoreError `MAP_EXISTS` for any other. */
export function ofSameRun(recorded: Manifest | null, { mapId, runId }: Manifest): Manifest {
  if (recorded?.runId === runId) return recorded;
  throw new RunStoreError(
    'MAP_EXISTS',
    `map ${mapId} was admitted by run ${recorded?.runId}; run ${runId} needs another map id`,
  );
}

export interface RunStore {
  /** Where it is, as messages name it: a folder, or a URL without password. */
  readonly place: string;
  /** Folder of one map on this machine, for what no other one needs: the spool and the rejects file. */
  folder(mapId: string): string;
  /** Records the manifest once. Same map and run: answers the recorded one. Another run: RunStoreError `MAP_EXISTS`. */
  createManifest(mapId: string, manifest: Manifest): Promise<Manifest>;
  /** The manifest, or null while the map is not admitted. */
  readManifest(mapId: string): Promise<Manifest | null>;
  /** Writes page `page` (from 0); as bytes it is taken as it is. Replaces an unfinished admission's page; once a manifest is there only equal rows are accepted. */
  writePage(mapId: string, page: number, rows: readonly AdmittedRow[] | Uint8Array): Promise<void>;
  /** Rows of one page, at most PAGE_BYTES of JSON. */
  readPage(mapId: string, page: number): Promise<AdmittedRow[]>;
  /** Writes a part once. Same name and bytes: only confirms. Same name, other bytes: RunStoreError `RESULTS_INCONSISTENT`. */
  writePart(
    mapId: string,
    page: number,
    part: number,
    outcomes: readonly RowResult[] | Uint8Array,
  ): Promise<PartRecord>;
  /** Parts of one page by ascending part number; empty when nothing was flushed. */
  listParts(mapId: string, page: number): Promise<PartRecord[]>;
  /** Outcomes of one part, at most FLUSH_BYTES of JSON. */
  readPart(mapId: string, page: number, part: number): Promise<RowResult[]>;
  /** Records how the map ended, before its tables are written: from then on no row of it changes. The same end again only confirms. */
  writeEnd(mapId: string, end: FinishInput): Promise<void>;
  /** How the map ended, or null while it has not. */
  readEnd(mapId: string): Promise<FinishInput | null>;
  /**
   * Notes that the map writes to this output, a path as it really lies, and answers the map that does: this one, or another that
   * was first. `instead`: a map that writes no more and gives way, if it still holds the output.
   */
  claimOutput(place: string, mapId: string, instead?: string): Promise<string>;
  /** Gives the output back; nothing happens when another map holds it. A map that once gave way may be named again, and gives way again. */
  releaseOutput(place: string, mapId: string): Promise<void>;
  /** Keeps a JSON text under its digest; the same text twice is one value. */
  putValue(mapId: string, json: string): Promise<StoredValue>;
  /** The JSON text of `$stored.ref`; its digest is checked on every read. */
  getValue(mapId: string, ref: string): Promise<string>;
}
