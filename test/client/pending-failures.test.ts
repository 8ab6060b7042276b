// Failures of many workflows that are one to a person.
import { type PendingFailure, pendingLine, together } from '../../client/pending-failures';

const failure = (workflowId: string, message: string, activity = 'storeRowResult'): PendingFailure => ({
  workflowId,
  others: 0,
  activity,
  attempt: 3,
  message,
  nextAtMs: null,
});

test('alike failures are one, which names the first workflow and how many others there are', () => {
  const found = together([
    failure('m', 'no space left', 'finishMap'),
    failure('m/r/a', 'values/ab/ab01ab01ab01.json: no space left'),
    failure('m/r/b', 'values/cd/cd01cd01cd01.json: no space left'),
    failure('m/r/c', 'values/cd/cd02cd02cd02.json: no permission'),
  ]);
  expect(found.map(pendingLine)).toEqual([
    'finishMap of m failed and is tried again (try 3): no space left',
    'storeRowResult of m/r/a and 1 other failed and is tried again (try 3): values/ab/ab01ab01ab01.json: no space left',
    'storeRowResult of m/r/c failed and is tried again (try 3): values/cd/cd02cd02cd02.json: no permission',
  ]);
});
