// A run store as of the first look at each page: a map that runs writes on, and two readings of it must agree.
import type { PartRecord, RunStore } from './run-store';

/** Parts that are written after a page was looked at stay unseen. Everything else is as in `store`. */
export function asOfFirstLook(store: RunStore): RunStore {
  const looks = new Map<string, Promise<PartRecord[]>>();
  return {
    ...store,
    listParts(mapId, page) {
      const key = `${mapId}/${page}`;
      const look = looks.get(key) ?? store.listParts(mapId, page);
      looks.set(key, look);
      return look;
    },
  };
}
