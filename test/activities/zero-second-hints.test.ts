// Ten answers in a row that say "retry after 0 seconds": the call waits longer each time instead of spinning.
import { profileOf } from '../../activities/http/profiles/registry';
import { readAnswer } from '../../activities/http/read-answer';
import { type CallFacts, stepAfterAttempt } from '../../activities/outcome';
import { attemptNumber, cursorAfterSend } from '../../contracts/cursor';
import { FIRST_CURSOR } from '../../contracts/outcomes';

test('ten zero-second hints in a row wait 1, 2, 4 … s, at most 5 minutes each, and use no attempt of the row', () => {
  let cursor = FIRST_CURSOR;
  let nowMs = 1_700_000_000_000;
  const waits: number[] = [];
  for (let k = 1; k <= 10; k++) {
    const answer = {
      status: 429,
      rawHeaders: [['Retry-After', '0']] as [string, string][],
      bodyPrefix: '',
      bodyComplete: true,
      observedAtMs: nowMs,
    };
    const verdict = readAnswer(answer, {
      request: { method: 'GET', idempotent: false, keyed: true },
      profile: profileOf('generic'),
      attempt: attemptNumber(cursor),
      throttleNumber: k,
      aborted: false,
      random: () => 0,
    });
    if (verdict.kind !== 'hold') throw new Error(`expected a hold, got ${verdict.kind}`);
    const { reason, scope, retryAtMs } = verdict;
    const step = stepAfterAttempt(
      { kind: 'hold', reason, scope, retryAtMs, isDefinite: true },
      cursorAfterSend(cursor),
      {} as CallFacts,
    );
    if (step.kind !== 'wait') throw new Error(`expected a wait, got ${step.kind}`);
    waits.push((step.retryAtMs - nowMs) / 1000);
    nowMs = step.retryAtMs;
    cursor = step.cursor;
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
  expect(cursor).toMatchObject({ invocationAttempt: 10, retryFromInvocationAttempt: 10, throttles: 10 });
});
