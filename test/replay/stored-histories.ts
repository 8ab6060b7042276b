// The recorded histories of this folder: one file for each workflow, as `temporal workflow show -o json` gives it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';

export const HISTORIES_FOLDER = join(__dirname, 'histories');

export interface StoredHistory {
  /** File name without `.json`. */
  name: string;
  workflowId: string;
  runId: string;
  history: ReturnType<typeof historyFromJSON>;
}

/** Names of all stored histories, sorted. */
export const storedHistoryNames = (): string[] =>
  readdirSync(HISTORIES_FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();

/** Throws with the file's name when it holds no history. */
export function storedHistory(name: string): StoredHistory {
  const history = historyFromJSON(JSON.parse(readFileSync(join(HISTORIES_FOLDER, `${name}.json`), 'utf8')));
  const { workflowId, originalExecutionRunId: runId } =
    history.events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
  if (!workflowId || !runId) throw new Error(`${name}.json: expected a first event that names its workflow, got none`);
  return { name, workflowId, runId, history };
}
