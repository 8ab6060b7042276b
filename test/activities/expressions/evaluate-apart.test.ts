// Hostile and honest expressions in processes of their own: whatever one does, this process goes on.
import { setImmediate as turn } from 'node:timers/promises';
import { evaluateApart } from '../../../activities/expressions/evaluate-apart';
import {
  EXPRESSION_LEAST_TIME_MS,
  EXPRESSION_MEMORY_MIB,
  EXPRESSION_PROCESSES,
  EXPRESSION_TIMEOUT_MS,
} from '../../../contracts/limits';
import type { Json } from '../../../contracts/outcomes';

const evaluate = (expression: string, scope: { [name: string]: Json } = {}) =>
  evaluateApart({ expression, scope, maxCharacters: 10_000 });

/** Backtracks for longer than anybody waits. */
const CATASTROPHE = `$match("${'a'.repeat(60)}!", /(a+)+$/)`;

test('an honest expression gives its value as plain JSON, and nothing when it selects nothing', async () => {
  expect(await evaluate('$match(row.a, /(\\d+)/).groups', { row: { a: 'x12 y34' } })).toEqual({ value: ['12', '34'] });
  expect(await evaluate('$sum([1..100]) / 0')).toEqual({ value: null });
  expect(await evaluate('$sort(1, 2)')).toEqual({ problem: expect.stringContaining('at character 6') });
  expect(await evaluate('$sort(row.missing)', { row: {} })).toEqual({});
});

test('a catastrophic regular expression is stopped, this process runs on meanwhile, and the next time it gets less time', async () => {
  let isOver = false;
  let turns = 0;
  const ended = evaluate(CATASTROPHE).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    turns += 1;
    await turn();
  }
  expect(await ended).toEqual({
    problem: expect.stringContaining(`ran for ${EXPRESSION_TIMEOUT_MS} ms and was stopped`),
  });
  expect(turns).toBeGreaterThan(100);
  expect(await evaluate(CATASTROPHE)).toEqual({
    problem: expect.stringContaining(`ran for ${EXPRESSION_TIMEOUT_MS / 2} ms`),
  });
  expect(EXPRESSION_LEAST_TIME_MS).toBeLessThan(EXPRESSION_TIMEOUT_MS / 2);
});

test.each([
  ['sorts 100,000 numbers', '$count($sort([1..100000]))'],
  [
    'doubles an object forty times',
    '($f := function($s, $n) { $n = 0 ? $s : $f({"a": $s, "b": $s}, $n - 1) }; $f(1, 40))',
  ],
  ['calls itself for ever', '($f := function($n) { $f($n + 1) }; $f(1))'],
  ['pads a text to 500 million characters', '$length($pad("x", 500000000))'],
])('one that %s ends as a problem', async (_, expression) => {
  expect(await evaluate(expression)).toEqual({
    problem: expect.stringMatching(new RegExp(`more than ${EXPRESSION_MEMORY_MIB} MiB|was stopped|[Ss]tack`)),
  });
});

test('a value of more JSON than the caller takes is refused', async () => {
  expect(await evaluate('$pad("x", 20000)')).toEqual({
    problem: 'gave 20002 characters of JSON, expected at most 10000',
  });
});

test('honest expressions wait for their turn behind hostile ones, and all get it', async () => {
  const hostile = Array.from({ length: EXPRESSION_PROCESSES }, () => evaluate(CATASTROPHE));
  const honest = Array.from({ length: 10 }, (_, n) => evaluate('$sum([1..n])', { n }));
  const values = (await Promise.all(honest)).map((one) => ('value' in one ? one.value : one));
  expect(values.slice(1)).toEqual([1, 3, 6, 10, 15, 21, 28, 36, 45]);
  for (const one of await Promise.all(hostile)) expect(one).toHaveProperty('problem');
});
