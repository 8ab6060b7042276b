// Which rows and shared calls are looked at for an activity that fails.
import type { HoldsBook } from '../../client/holds-book';
import { suspects } from '../../client/suspects';
import { ASK_ROW_AFTER_MS } from '../../contracts/limits';
import type { CallState, OpenRow } from '../../contracts/results';

const NOW_MS = 1_000_000;

const row = (workflowId: string, openMs: number): OpenRow =>
  ({ workflowId, startedAtMs: NOW_MS - ASK_ROW_AFTER_MS - openMs }) as OpenRow;

const call = (state: CallState['state'], sharedCall?: string): CallState =>
  ({ state, ...(sharedCall ? { sharedCall } : {}) }) as CallState;

const book = (answers: { [workflowId: string]: CallState[] }): HoldsBook =>
  new Map(
    Object.entries(answers).map(([id, calls]) => [
      id,
      { holds: { control: 'run', calls }, askedAtMs: NOW_MS, settledUntilMs: NOW_MS },
    ]),
  );

test('rows that hold or are paused are none; one without a call, one that waits and one that was not asked are, the oldest first', () => {
  const open = [row('asked', 1), row('young', -1), row('held', 9), row('paused', 9), row('storing', 2), row('new', 3)];
  const answers = book({
    asked: [call('queued'), call('hold')],
    held: [call('hold')],
    paused: [call('paused')],
    storing: [],
  });
  expect(suspects(open, answers, NOW_MS)).toEqual(['new', 'storing', 'asked']);
});

test('a shared call that several rows wait for is looked at once', () => {
  const answers = book({ a: [call('queued', 'call/x')], b: [call('queued', 'call/x')] });
  expect(suspects([row('a', 2), row('b', 1)], answers, NOW_MS)).toEqual(['a', 'call/x', 'b']);
});
