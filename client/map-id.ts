// The id of a map: chosen by the caller, or made of the spec's name and the moment of the start.
import { MAP_ID_PATTERN } from '../contracts/ids';
import { CommandError } from './command-error';

/** `<name>-<yyyymmdd-hhmmss>` in UTC; a name has at most 63 characters, so the id always fits. */
export function defaultMapId(name: string, nowMs: number): string {
  const moment = new Date(nowMs).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return `${name}-${moment}`;
}

/** The id as given. Throws INVALID_MAP_ID. */
export function checkedMapId(id: string): string {
  if (MAP_ID_PATTERN.test(id)) return id;
  throw new CommandError(
    'INVALID_MAP_ID',
    `${JSON.stringify(id)} cannot be a map id; expected 1 to 100 of A-Z a-z 0-9 . _ - and a letter or digit first`,
  );
}
