// A spec file from disk to the argument of a map: read, parsed, validated, flags set, paths absolute.
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Problem } from '../contracts/failures';
import { parseMapSpec } from '../contracts/schemas/map-spec';
import { CommandError } from './command-error';
import { type SpecFlags, withFlags } from './spec-flags';
import { localFiles, withAbsolutePaths } from './spec-paths';
import { parseSpecText } from './spec-text';

export interface LoadedSpec {
  file: string;
  name: string;
  /** The one argument of the workflow, as authored but for flags and absolute paths. */
  argument: unknown;
  /** `<file>:<line>` of a path such as `columns[2].tool`. */
  placeOf(path: string): string;
}

/**
 * Reads `file`, relative to `cwd`. Throws INVALID_SPEC with every problem and its line, DATASET_UNREADABLE when the local
 * dataset is not a readable file.
 */
export function loadSpec(file: string, flags: SpecFlags, cwd: string): LoadedSpec {
  const parsed = parseSpecText(readSpecFile(resolve(cwd, file), file), file);
  if (!parsed.ok) throw invalid(file, parsed.problems);
  const { value, placeOf } = parsed.spec;

  const authored = withFlags(value, flags);
  const checked = parseMapSpec(authored);
  if (!checked.ok) {
    throw invalid(
      file,
      checked.problems.map(({ path, message }) => ({ path: `${placeOf(path)}${path ? ` ${path}` : ''}`, message })),
    );
  }

  const argument = withAbsolutePaths(authored, dirname(resolve(cwd, file)));
  for (const dataset of localFiles(argument)) checkDataset(dataset, placeOf(dataset.field));
  return { file, name: checked.spec.name, argument, placeOf };
}

function readSpecFile(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(
      'INVALID_SPEC',
      `${file} cannot be read: ${readFault(error, path)}; expected a YAML or JSON file`,
    );
  }
}

function checkDataset(dataset: { field: string; path: string }, place: string): void {
  const fail = (fault: string): never => {
    throw new CommandError('DATASET_UNREADABLE', `${place} ${dataset.field}: ${fault}`);
  };
  try {
    if (!statSync(dataset.path).isFile()) fail(`${dataset.path} is not a file; expected a dataset to read`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    fail(readFault(error, dataset.path));
  }
}

function readFault(error: unknown, path: string): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return `${path} does not exist`;
    case 'EISDIR':
      return `${path} is a folder`;
    case 'EACCES':
      return `${path} may not be read by this user`;
    default:
      return `${path}: ${(error as Error).message}`;
  }
}

function invalid(file: string, problems: readonly Problem[]): CommandError {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return new CommandError('INVALID_SPEC', `${file} has ${count}, nothing was started`, problems);
}
