// What a gate takes from anybody, and what it refuses with a reason.
import { FAR_MS } from '../../activities/http/retry-at';
import { throttledProblem } from '../../workflows/gate-checks';

test('a closing is taken however long it lasts, and refused when its time is none', () => {
  const closing = (remainingMs: unknown) => throttledProblem({ remainingMs, reason: 'throttled' });
  expect([0, 1.5, 500 * 86_400_000, FAR_MS].map(closing)).toEqual([null, null, null, null]);
  for (const wrong of [-1, Number.NaN, Infinity, '60', null]) {
    expect(closing(wrong)).toMatch(/^throttled was ignored: got .*, expected \{ "remainingMs": 0 to 253402300799000/);
  }
});
