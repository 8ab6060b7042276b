// Run store in a local folder, one sub-folder a map. All writes go through durable-file.ts.
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FinishInput } from '../../contracts/activity-io';
import type { AdmittedRow } from '../../contracts/plan';
import type { RowResult } from '../../contracts/results';
import { createFile, makeFolder, readIfPresent, replaceFile } from './durable-file';
import { linesOf, parseJsonLines, sha256Hex } from './json-lines';
import { createLocalClaims } from './local-claims';
import { type Manifest, ofSameRun, type PartRecord, partRecord, type RunStore, RunStoreError } from './run-store';
import * as layout from './store-layout';

/** A run store under `root`, which is created when needed. One process or several may use it at once. */
export function createLocalRunStore({ root }: { root: string }): RunStore {
  const folder = (mapId: string) => layout.mapFolder(root, mapId);

  async function readManifest(mapId: string): Promise<Manifest | null> {
    const bytes = await readIfPresent(layout.manifestPath(folder(mapId)));
    return bytes && (JSON.parse(bytes.toString('utf8')) as Manifest);
  }

  return {
    place: root,
    folder,
    readManifest,

    async createManifest(mapId, manifest) {
      await makeFolder(folder(mapId));
      const bytes = Buffer.from(JSON.stringify(manifest, null, 2));
      if (await createFile(layout.manifestPath(folder(mapId)), bytes)) return manifest;
      return ofSameRun(await readManifest(mapId), manifest);
    },

    async writePage(mapId, page, rows) {
      const path = layout.pagePath(folder(mapId), page);
      const bytes = linesOf(rows);
      await makeFolder(dirname(path));
      if ((await readManifest(mapId)) === null) return replaceFile(path, bytes);
      const stored = await readIfPresent(path);
      if (stored?.equals(bytes)) return;
      throw new RunStoreError(
        'RESULTS_INCONSISTENT',
        `page ${page} of map ${mapId} differs from the one that was admitted`,
      );
    },

    async readPage(mapId, page) {
      return parseJsonLines<AdmittedRow>(
        await present(layout.pagePath(folder(mapId), page), `page ${page} of ${mapId}`),
      );
    },

    async writePart(mapId, page, part, outcomes) {
      const bytes = linesOf(outcomes);
      const path = join(layout.partsFolder(folder(mapId), page), layout.partName(part));
      await makeFolder(dirname(path));
      const record = partRecord(part, bytes);
      if (await createFile(path, bytes)) return record;
      const stored = partRecord(part, await present(path, record.name));
      if (stored.sha256 === record.sha256) return record;
      throw new RunStoreError(
        'RESULTS_INCONSISTENT',
        `${path} holds ${stored.rows} outcomes with sha256 ${stored.sha256}; the same part now has ${record.rows} with ${record.sha256}`,
      );
    },

    async listParts(mapId, page) {
      const parts = layout.partsFolder(folder(mapId), page);
      const numbers = (await namesIn(parts)).map(layout.partNumber).filter((number) => number !== null);
      const records: PartRecord[] = [];
      for (const part of numbers.sort((a, b) => a - b)) {
        records.push(partRecord(part, await present(join(parts, layout.partName(part)), `part ${part}`)));
      }
      return records;
    },

    async readPart(mapId, page, part) {
      const path = join(layout.partsFolder(folder(mapId), page), layout.partName(part));
      return parseJsonLines<RowResult>(await present(path, `part ${part} of page ${page} of ${mapId}`));
    },

    async writeEnd(mapId, end) {
      await makeFolder(folder(mapId));
      await replaceFile(layout.endPath(folder(mapId)), Buffer.from(JSON.stringify(end, null, 2)));
    },

    async readEnd(mapId) {
      const bytes = await readIfPresent(layout.endPath(folder(mapId)));
      return bytes && (JSON.parse(bytes.toString('utf8')) as FinishInput);
    },

    ...createLocalClaims(root),

    async putValue(mapId, json) {
      const digest = sha256Hex(json);
      const ref = layout.valueRef(digest);
      const path = join(folder(mapId), ref);
      const bytes = Buffer.from(json);
      await makeFolder(dirname(path));
      await createFile(path, bytes);
      return { $stored: { ref, digest, bytes: bytes.length } };
    },

    async getValue(mapId, ref) {
      const digest = layout.valueDigest(ref);
      const bytes = await present(join(folder(mapId), ref), `value ${ref} of ${mapId}`);
      if (sha256Hex(bytes) === digest) return bytes.toString('utf8');
      throw new RunStoreError(
        'STORE_FAILED',
        `value ${ref} of map ${mapId} is damaged: its sha256 is ${sha256Hex(bytes)}`,
      );
    },
  };
}

async function present(path: string, what: string): Promise<Buffer> {
  const bytes = await readIfPresent(path);
  if (bytes) return bytes;
  throw new RunStoreError('STORE_FAILED', `${what} is not in the run store: ${path} does not exist`);
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
