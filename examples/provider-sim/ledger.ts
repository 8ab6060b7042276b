// The record of every request and charge: in memory, and in a file that is written before the answer leaves.
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Json } from '../../contracts/outcomes';
import type { FaultKind } from './options';

/** What was decided on arrival. The first six are admitted: they count in windows and in flight. */
export type Verdict =
  | 'answered'
  | 'missed'
  | 'replayed'
  | 'fault'
  | 'invalid'
  /** A request about a job that was started; never charged. */
  | 'job'
  | 'closed'
  | 'over_window'
  | 'over_concurrency'
  | 'key_in_progress'
  | 'key_mismatch'
  | 'unauthorized'
  | 'unknown_path';

/** One request, complete as soon as it has arrived: the outcome is decided then, the latency comes after. */
export interface LedgerEntry {
  /** Order of arrival over all providers, from 1. */
  n: number;
  provider: string;
  /** Monotonic, from the start of the simulator. */
  arrivedAtMs: number;
  arrivedAtWallMs: number;
  method: string;
  path: string;
  input: { [name: string]: Json };
  idempotencyKey: string | null;
  /** Admitted requests of the provider under way on arrival, this one not counted. */
  inFlight: number;
  admitted: boolean;
  verdict: Verdict;
  fault?: FaultKind;
  /** Number of the closing that refused it, from 1 for each provider. */
  closing?: number;
  /** Null when no answer was meant to leave. */
  status: number | null;
  charged: boolean;
  /** What was charged; 0 when nothing was. */
  price: number;
  /** What may be charged once: the idempotency key, or without one the endpoint with its input. */
  billingKey: string;
  /** What an admitted request of a language model uses of token windows; left out for all others. */
  tokens?: number;
}

/** Append-only. The file has one JSON object a line and is opened for appending. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  private readonly file: number | undefined;
  private readonly watchers = new Set<() => void>();

  constructor(path: string | undefined) {
    this.file = path === undefined ? undefined : openSync(path, 'a');
  }

  /** Returns once the line is with the operating system, so it outlives this process and any client. */
  append(entry: LedgerEntry): void {
    if (this.file !== undefined) writeSync(this.file, `${JSON.stringify(entry)}\n`);
    this.entries.push(entry);
    for (const watcher of this.watchers) watcher();
  }

  /** Resolves as soon as the condition holds, looked at now and after each request. */
  waitFor(condition: (entries: readonly LedgerEntry[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!condition(this.entries)) return;
        this.watchers.delete(look);
        resolve();
      };
      this.watchers.add(look);
      look();
    });
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
  }
}
