// A call that is cancelled while its request is under way: the row says why, and that decides whether the request may end.
import type { Context } from '@temporalio/activity';
import { HEARTBEAT_EVERY_MS } from '../contracts/limits';
import { QUERY } from '../contracts/names';
import type { DispatchInput } from '../contracts/outcomes';
import type { RowHolds } from '../contracts/results';
import type { Clock } from './clock';

/** What the row wants done with a request that was sent; `finish` also while the row cannot be asked. */
export type AskRow = () => Promise<RowHolds['control']>;

/** Asks by the row's `holds` query: activities hear that they are cancelled, but not whether it is a pause or an end. */
export function askRowOf(context: Context, { row }: DispatchInput, clock: Clock): AskRow {
  return async () => {
    try {
      const handle = context.client.workflow.getHandle(row.workflowId, row.runId);
      const ask = () => handle.query<RowHolds, []>(QUERY.holds);
      // Without a deadline a query that nobody answers would keep the grace from ever ending.
      return (await context.client.withDeadline(clock.wallMs() + HEARTBEAT_EVERY_MS, ask)).control;
    } catch {
      return 'finish';
    }
  };
}

export interface CancelWatch {
  /** Gives the request up. */
  abort: AbortSignal;
  /** Call when the request has ended; stops asking and removes the listeners. */
  end(): void;
}

interface WatchOptions {
  /** The activity was cancelled. */
  cancelled: AbortSignal;
  /** Free reads are given up at once, anything else gets its grace. */
  graceMs: number;
  askRow: AskRow;
  /** True when the activity was cancelled because the worker's grace is over, or nobody waits for it any more. */
  isFinal: () => boolean;
  clock: Clock;
}

/** Watches one request. `cancel` gives it up after the grace, `finish` (a pause, or a sibling that threw) lets it end. */
export function watchCancel({ cancelled, graceMs, askRow, isFinal, clock }: WatchOptions): CancelWatch {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let cancelledAtMs: number | null = null;
  let hasEnded = false;

  async function ask(): Promise<void> {
    const control = isFinal() ? 'cancel' : await askRow();
    if (hasEnded) return;
    if (control === 'cancel') cancelledAtMs ??= clock.monotonicMs();
    const leftMs = cancelledAtMs === null ? HEARTBEAT_EVERY_MS : cancelledAtMs + graceMs - clock.monotonicMs();
    if (leftMs <= 0 || isFinal()) return abort.abort(new Error('cancelled'));
    timer = setTimeout(() => void ask(), Math.min(leftMs, HEARTBEAT_EVERY_MS));
  }
  const start = () => void ask();

  if (cancelled.aborted) start();
  else cancelled.addEventListener('abort', start, { once: true });
  return {
    abort: abort.signal,
    end() {
      hasEnded = true;
      clearTimeout(timer);
      cancelled.removeEventListener('abort', start);
    },
  };
}
