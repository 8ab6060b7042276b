// Everything that is wrong with the provider files of a worker, reported at once.
import { failureLine, type Problem } from '../../contracts/failures';

export class ProviderFileError extends Error {
  override name = 'ProviderFileError';
  readonly code = 'PROVIDER_FILE_INVALID';
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
    super([failureLine('PROVIDER_FILE_INVALID', `${count} in provider files`), ...lines].join('\n'));
    this.problems = problems;
  }
}
