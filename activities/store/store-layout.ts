// Where everything of one map lies in a local run store. Names are made of map, page and part alone.
import { join } from 'node:path';
import { MAP_ID_PATTERN } from '../../contracts/ids';
import { SHARED_VALUES } from '../../contracts/stored-value';
import { RunStoreError } from './run-store-error';

const VALUE_REF = /^values\/[0-9a-f]{2}\/([0-9a-f]{64})\.json$/;
const PART_NAME = /^part-(\d{6})\.jsonl$/;

const padded = (number: number): string => String(number).padStart(6, '0');

/** Refuses an id that could lead elsewhere. */
export function checkMapId(mapId: string): void {
  if (!MAP_ID_PATTERN.test(mapId) && mapId !== SHARED_VALUES) {
    throw new RunStoreError(
      'INVALID_MAP_ID',
      `map id ${JSON.stringify(mapId)} does not match ${MAP_ID_PATTERN.source}`,
    );
  }
}

/** Folder of a map; its id is checked. */
export function mapFolder(root: string, mapId: string): string {
  checkMapId(mapId);
  return join(root, mapId);
}

export const manifestPath = (folder: string): string => join(folder, 'manifest.json');

export const endPath = (folder: string): string => join(folder, 'end.json');

export const pagePath = (folder: string, page: number): string => join(folder, 'pages', `page-${padded(page)}.jsonl`);

export const partsFolder = (folder: string, page: number): string => join(folder, 'parts', `page-${padded(page)}`);

export const partName = (part: number): string => `part-${padded(part)}.jsonl`;

/** Number of a part, or null for a file that is none, such as the leftover of a crash. */
export function partNumber(name: string): number | null {
  const match = PART_NAME.exec(name);
  return match ? Number(match[1]) : null;
}

/** Place of a value relative to the map's folder, made of its sha256 alone. */
export const valueRef = (sha256: string): string => `values/${sha256.slice(0, 2)}/${sha256}.json`;

/** Digest that a value reference promises. */
export function valueDigest(ref: string): string {
  const digest = VALUE_REF.exec(ref)?.[1];
  if (digest === undefined || valueRef(digest) !== ref) {
    throw new RunStoreError(
      'STORE_FAILED',
      `${JSON.stringify(ref)} is not a value reference; expected ${valueRef('<sha256>')}`,
    );
  }
  return digest;
}
