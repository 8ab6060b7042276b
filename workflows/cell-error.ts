// Thrown when a row program returns what has no JSON form. Apart from the code that loads the maps, which only their rows need.
import type { ResultError } from '../contracts/result-json';

/** A cell that has no JSON form: its column, and the place in it. */
export class CellError extends Error {
  override readonly name = 'CellError';

  constructor(
    readonly column: string,
    cause: ResultError,
  ) {
    super(`the cell ${column} cannot be written as JSON: ${cause.message} (${cause.code})`, { cause });
  }
}
