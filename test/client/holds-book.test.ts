// Which rows are asked what they wait for, and how long an answer holds good.
import { type HoldsBook, isFresh, rowsToAsk, withAnswers } from '../../client/holds-book';
import { call, heldUntil, holds, NOW_MS, openRow } from './fixtures/figures';

const EMPTY: HoldsBook = new Map();
const open = ['a', 'b', 'c'].map((name) => openRow(name));

test('rows that were opened less than three seconds ago are not asked', () => {
  expect(rowsToAsk([openRow('young', 2_900), openRow('old', 3_100)], EMPTY, NOW_MS)).toEqual(['m/r/old']);
});

test('at most fifty rows are asked at once', () => {
  const many = Array.from({ length: 430 }, (_, index) => openRow(String(index)));
  expect(rowsToAsk(many, EMPTY, NOW_MS)).toHaveLength(50);
});

test('all of many rows get their turn', () => {
  const many = Array.from({ length: 120 }, (_, index) => openRow(String(index)));
  let book = EMPTY;
  for (let tick = 0; tick < 3; tick++) {
    const now = NOW_MS + tick * 1000;
    book = withAnswers(book, many, new Map(rowsToAsk(many, book, now).map((id) => [id, holds(call({}))])), now);
  }
  expect(book.size).toBe(120);
});

test('a row on a hold is not asked again before its instant', () => {
  const book = withAnswers(EMPTY, open, new Map([['m/r/a', holds(heldUntil(NOW_MS + 60_000))]]), NOW_MS);
  expect(rowsToAsk(open, book, NOW_MS + 59_999)).toEqual(['m/r/b', 'm/r/c']);
  expect(rowsToAsk(open, book, NOW_MS + 60_000)).toContain('m/r/a');
});

test('of several holds of one row the first instant counts, and a queued call keeps the row askable', () => {
  const answers = new Map([
    ['m/r/a', holds(heldUntil(NOW_MS + 60_000), heldUntil(NOW_MS + 5_000))],
    ['m/r/b', holds(heldUntil(NOW_MS + 60_000), call({ state: 'queued' }))],
  ]);
  const book = withAnswers(EMPTY, open, answers, NOW_MS);
  expect(rowsToAsk(open, book, NOW_MS + 4_000)).toEqual(['m/r/c', 'm/r/b']);
  expect(rowsToAsk(open, book, NOW_MS + 5_000)).toContain('m/r/a');
});

test('a row that gave no answer keeps its earlier one, and a row that is open no more is forgotten', () => {
  const first = withAnswers(
    EMPTY,
    open,
    new Map([
      ['m/r/a', holds()],
      ['m/r/b', holds()],
    ]),
    NOW_MS,
  );
  const second = withAnswers(first, [openRow('a')], new Map([['m/r/a', null]]), NOW_MS + 1_000);
  expect([...second.keys()]).toEqual(['m/r/a']);
  expect(second.get('m/r/a')?.askedAtMs).toBe(NOW_MS);
});

test('an answer about the queue goes stale after ten seconds, one about a hold at its instant', () => {
  const answers = new Map([
    ['m/r/a', holds(call({}))],
    ['m/r/b', holds(heldUntil(NOW_MS + 60_000))],
  ]);
  const book = withAnswers(EMPTY, open, answers, NOW_MS);
  const fresh = (id: string, afterMs: number) => isFresh(book.get(id)!, NOW_MS + afterMs);
  expect([fresh('m/r/a', 10_000), fresh('m/r/a', 10_001)]).toEqual([true, false]);
  expect([fresh('m/r/b', 59_000), fresh('m/r/b', 60_000)]).toEqual([true, false]);
});
