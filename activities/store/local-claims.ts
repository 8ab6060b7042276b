// Claims of outputs in a folder: for each output numbered files, of which the one with the highest number holds it.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFile, makeFolder, readIfPresent } from './durable-file';
import { sha256Hex } from './json-lines';
import type { RunStore } from './run-store';

interface Claim {
  number: number;
  /** Null when it was given back between the look at the folder and the look at the file. */
  mapId: string | null;
}

/** A map takes a number that nobody has and removes none but its own: of two that take over at once one wins. */
export function createLocalClaims(root: string): Pick<RunStore, 'claimOutput' | 'releaseOutput'> {
  const folder = join(root, '.outputs');
  const fileOf = (place: string, number: number) => join(folder, `${sha256Hex(place)}.${number}.json`);

  async function latest(place: string): Promise<Claim | null> {
    const prefix = `${sha256Hex(place)}.`;
    const names = (await readdir(folder)).filter((name) => name.startsWith(prefix));
    if (names.length === 0) return null;
    const number = Math.max(...names.map((name) => Number.parseInt(name.slice(prefix.length), 10)));
    const bytes = await readIfPresent(fileOf(place, number));
    return { number, mapId: bytes && (JSON.parse(bytes.toString('utf8')) as { mapId: string }).mapId };
  }

  return {
    async claimOutput(place, mapId, instead) {
      await makeFolder(folder);
      for (;;) {
        const claim = await latest(place);
        if (claim?.mapId === null) continue;
        if (claim && claim.mapId !== instead) return claim.mapId;
        const bytes = Buffer.from(JSON.stringify({ place, mapId }));
        if (await createFile(fileOf(place, (claim?.number ?? 0) + 1), bytes)) return mapId;
      }
    },

    async releaseOutput(place, mapId) {
      await makeFolder(folder);
      const claim = await latest(place);
      if (claim?.mapId === mapId) await rm(fileOf(place, claim.number), { force: true });
    },
  };
}
