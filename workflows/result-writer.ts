// Results of a page on their way to the run store: one flush at a time, at most 512 KiB each, dropped once written.
import { CancellationScope, condition } from '@temporalio/workflow';
import { FLUSH_AFTER_MS, FLUSH_BYTES, FLUSH_ROWS } from '../contracts/limits';
import type { RowPlan } from '../contracts/plan';
import type { RowResult } from '../contracts/results';
import { mapActivities } from './activity-proxies';

export interface ResultWriter {
  add(result: RowResult): void;
  /** No result will come any more. */
  end(): void;
  /** Resolves when everything is written. A cancel does not stop it. */
  finished: Promise<void>;
}

export function createResultWriter(plan: RowPlan, page: number): ResultWriter {
  const { writeResults } = mapActivities(plan.timing.heartbeatTimeoutMs);
  const waiting: { result: RowResult; bytes: number }[] = [];
  let waitingBytes = 0;
  let ended = false;
  let part = 0;

  const isFull = () => waiting.length >= FLUSH_ROWS || waitingBytes >= FLUSH_BYTES / 2;

  function takeBatch(): RowResult[] {
    let bytes = 0;
    let count = 0;
    for (const one of waiting) {
      if (count > 0 && bytes + one.bytes > FLUSH_BYTES) break;
      bytes += one.bytes;
      count += 1;
    }
    waitingBytes -= bytes;
    return waiting.splice(0, count).map(({ result }) => result);
  }

  async function run(): Promise<void> {
    for (;;) {
      await condition(() => waiting.length > 0 || ended);
      if (waiting.length === 0) return;
      if (!isFull() && !ended) await condition(() => isFull() || ended, FLUSH_AFTER_MS);
      await writeResults({ mapId: plan.mapId, page, part, outcomes: takeBatch() });
      part += 1;
    }
  }

  return {
    add(result) {
      const bytes = JSON.stringify(result).length;
      waiting.push({ result, bytes });
      waitingBytes += bytes;
    },
    end() {
      ended = true;
    },
    finished: CancellationScope.nonCancellable(run),
  };
}
