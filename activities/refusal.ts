// Refusals for good: the failure type is a code of docs/errors.md, the first detail the list of problems.
import { ApplicationFailure } from '@temporalio/activity';
import type { MapFailureCode, Problem } from '../contracts/failures';
import { DatasetError } from './datasets/dataset-error';
import { OutputError } from './sinks/sink';
import { RunStoreError } from './store/run-store';

export function refusal(code: MapFailureCode, problems: readonly Problem[]): ApplicationFailure {
  const message = problems.map(({ path, message: text }) => (path === '' ? text : `${path}: ${text}`)).join('\n');
  return ApplicationFailure.nonRetryable(message, code, problems);
}

const isOutputRefusal = (code: string): code is Extract<MapFailureCode, `OUTPUT_${string}`> =>
  code.startsWith('OUTPUT_');

/** Any error of an export as one for good: a person waits for the answer, and asks again. */
export function exportRefusal(error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof OutputError) {
    const code = isOutputRefusal(error.code) ? error.code : 'OUTPUT_UNWRITABLE';
    const advice = code === 'OUTPUT_EXISTS' ? ', name another path, or set overwrite (--overwrite)' : '';
    return refusal(code, [{ path: '', message: `${error.message}${advice}` }]);
  }
  const { message } = error as Error;
  const code = error instanceof RunStoreError ? error.code : 'STORE_FAILED';
  return refusal(code, [{ path: '', message }]);
}

/** The refusal that an error of reading, of the outputs or of the store means at admission; null for a fault that may pass. */
export function admissionRefusal(error: unknown): ApplicationFailure | null {
  if (error instanceof DatasetError) {
    return refusal('DATASET_UNREADABLE', [{ path: 'dataset', message: `${error.code}: ${error.message}` }]);
  }
  if (error instanceof OutputError) {
    const code = isOutputRefusal(error.code) ? error.code : 'INVALID_SPEC';
    return refusal(code, [{ path: 'output', message: error.message }]);
  }
  if (error instanceof RunStoreError && (error.code === 'MAP_EXISTS' || error.code === 'INVALID_MAP_ID')) {
    return refusal(error.code, [{ path: '', message: error.message }]);
  }
  return null;
}
