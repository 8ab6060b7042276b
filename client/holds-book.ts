// What open rows said they wait for, kept between refreshes so that thousands of rows need not be asked each second.
import { ASK_ROW_AFTER_MS, ASK_ROWS_PER_TICK, ROW_ANSWER_FRESH_MS } from '../contracts/limits';
import type { OpenRow, RowHolds } from '../contracts/results';

export interface RowAnswer {
  holds: RowHolds;
  askedAtMs: number;
  /** Nothing about the row can change before this instant, unless a person steers the map. */
  settledUntilMs: number;
}

/** Answers by workflow id of the row. */
export type HoldsBook = ReadonlyMap<string, RowAnswer>;

/** Rows open for long enough to be asked; younger ones are mostly being sent. */
export const waitingRows = (open: readonly OpenRow[], nowMs: number): OpenRow[] =>
  open.filter((row) => nowMs - row.startedAtMs > ASK_ROW_AFTER_MS);

/** Workflow ids of the rows to ask now, at most `limit`: those never asked first, then those asked longest ago. */
export function rowsToAsk(
  open: readonly OpenRow[],
  book: HoldsBook,
  nowMs: number,
  limit = ASK_ROWS_PER_TICK,
): string[] {
  const askedAt = (id: string): number => book.get(id)?.askedAtMs ?? 0;
  return waitingRows(open, nowMs)
    .map((row) => row.workflowId)
    .filter((id) => (book.get(id)?.settledUntilMs ?? 0) <= nowMs)
    .sort((a, b) => askedAt(a) - askedAt(b))
    .slice(0, limit);
}

/** The book with new answers (null = the row gave none), without rows that are open no more. */
export function withAnswers(
  book: HoldsBook,
  open: readonly OpenRow[],
  answers: ReadonlyMap<string, RowHolds | null>,
  nowMs: number,
): HoldsBook {
  const next = new Map<string, RowAnswer>();
  for (const { workflowId } of open) {
    const holds = answers.get(workflowId);
    const known = book.get(workflowId);
    if (holds) next.set(workflowId, { holds, askedAtMs: nowMs, settledUntilMs: settledUntil(holds, nowMs) });
    else if (known) next.set(workflowId, known);
  }
  return next;
}

/** Whether an answer may still be shown. */
export const isFresh = (answer: RowAnswer, nowMs: number): boolean =>
  answer.settledUntilMs > nowMs || nowMs - answer.askedAtMs <= ROW_ANSWER_FRESH_MS;

function settledUntil(holds: RowHolds, nowMs: number): number {
  const allHeld = holds.calls.length > 0 && holds.calls.every((call) => call.state === 'hold');
  return allHeld ? Math.min(...holds.calls.map((call) => call.retryAtMs ?? nowMs)) : nowMs;
}
