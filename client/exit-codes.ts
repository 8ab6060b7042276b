// What the exit code of every verb means, in one place: constants, their help text, and which failure gives which.
import type { FailureCode } from '../contracts/failures';
import type { RowCounts } from '../contracts/results';

export const EXIT = {
  ok: 0,
  failed: 1,
  badInput: 2,
  rowsFailed: 3,
  cancelled: 4,
  unreachable: 5,
  noSuchMap: 6,
  interrupted: 130,
} as const;

export const EXIT_CODE_HELP = `
Exit codes:
  0    done; for watch and start --watch: the map ended, and no row failed, is unknown or was not run
  1    something else went wrong, or doctor found what needs action
  2    bad input: usage, connection settings, spec, dataset or map id; no rows were run
  3    the map ended with rows that failed, are unknown or were not run, or it failed
  4    the map was cancelled
  5    the server is unreachable or the namespace does not exist
  6    there is no such map, row or gate, or the map has ended
  130  interrupted; a watched map runs on`;

const EXIT_OF_CODE: { [code in FailureCode]?: number } = {
  INVALID_SPEC: EXIT.badInput,
  INVALID_MAP_ID: EXIT.badInput,
  MAP_EXISTS: EXIT.badInput,
  DATASET_UNREADABLE: EXIT.badInput,
  REDRIVE_REFUSED: EXIT.badInput,
  EXPORT_REFUSED: EXIT.badInput,
  OUTPUT_EXISTS: EXIT.badInput,
  OUTPUT_IN_USE: EXIT.badInput,
  OUTPUT_IS_INPUT: EXIT.badInput,
  OUTPUT_UNWRITABLE: EXIT.badInput,
  RESOLVE_REFUSED: EXIT.badInput,
  CONFIG_INVALID: EXIT.badInput,
  PROVIDER_FILE_INVALID: EXIT.badInput,
  ROW_FAILED: EXIT.rowsFailed,
  CANCELLED: EXIT.cancelled,
  SERVER_UNREACHABLE: EXIT.unreachable,
  NAMESPACE_NOT_FOUND: EXIT.unreachable,
  MAP_NOT_FOUND: EXIT.noSuchMap,
  MAP_ENDED: EXIT.noSuchMap,
  ROW_NOT_FOUND: EXIT.noSuchMap,
  GATE_NOT_FOUND: EXIT.noSuchMap,
};

/** Exit code of a failure; 1 for every code that has no meaning of its own. */
export const exitCodeOf = (code: FailureCode): number => EXIT_OF_CODE[code] ?? EXIT.failed;

/** Exit code of a map that ended with a result. */
export function exitCodeOfEnd(status: 'completed' | 'cancelled' | 'failed', rows: RowCounts): number {
  if (status === 'cancelled') return EXIT.cancelled;
  return status === 'failed' || rows.failed + rows.unknown + rows.not_run > 0 ? EXIT.rowsFailed : EXIT.ok;
}
