// A code tool that asks to wait: no wait is so short that the call spins, and none is shorter than asked.
import { z } from 'zod';
import type { AttemptEnd } from '../../activities/attempt';
import { prepareCode } from '../../activities/attempt-code';
import { defineTool } from '../../activities/tools/define-tool';
import { InProgress, Throttled, type ToolError } from '../../activities/tools/tool-errors';
import { type DispatchInput, FIRST_CURSOR } from '../../contracts/outcomes';

const NOW_MS = 1_700_000_000_000;

async function endOf(
  error: ToolError,
  throttleNumber: number,
  own: { idempotent?: boolean; price?: number } = {},
): Promise<AttemptEnd> {
  const tool = defineTool({
    name: 'probe',
    effect: 'read',
    price: 0,
    version: '1',
    idempotent: true,
    ...own,
    input: z.any(),
    output: z.any(),
    run: async () => {
      throw error;
    },
  });
  const clock = { wallMs: () => NOW_MS, monotonicMs: () => 0 };
  const log = { info: () => undefined, warn: () => undefined };
  const prepare = prepareCode({ ...tool, secretReference: () => null, accounts: ['default'] } as never, {
    clock,
    log,
    readSecret: async () => '',
  });
  const input = { input: {}, cursor: FIRST_CURSOR } as DispatchInput;
  const send = await prepare({ input, idempotencyKey: 'b1', attempt: 1, throttleNumber });
  if (typeof send !== 'function') throw new Error('a code tool is always sendable');
  const nothing = () => undefined;
  const marks = { leaving: nothing, answered: nothing, used: nothing };
  return send(new AbortController().signal, marks);
}

async function waitOf(retryAtMs: number | null, throttleNumber: number): Promise<number> {
  const end = await endOf(new Throttled({ retryAtMs }), throttleNumber);
  if (end.kind !== 'hold') throw new Error(`expected a hold, got ${end.kind}`);
  return end.retryAtMs - NOW_MS;
}

test.each([
  ['no time', null],
  ['now', NOW_MS],
  ['an instant that is over', NOW_MS - 5000],
  ['an instant that is no number', Number.NaN],
])('asked to wait with %s it waits longer with each throttle in a row', async (_, retryAtMs) => {
  const waits = await Promise.all([1, 2, 3].map((number) => waitOf(retryAtMs, number)));
  expect(waits).toEqual([1000, 2000, 4000]);
});

test('a time that is named is kept, but for a small floor from the second throttle in a row', async () => {
  expect(await waitOf(NOW_MS + 90_000, 1)).toBe(90_000);
  expect(await waitOf(NOW_MS + 1, 1)).toBe(1);
  expect(await waitOf(NOW_MS + 1, 5)).toBeGreaterThan(100);
});

test('a provider that is at work on the key is asked again under it; without a key nobody knows what came of the request', async () => {
  const busy = new InProgress({ retryAtMs: NOW_MS + 4000 });
  expect(await endOf(busy, 1, { price: 0.5 })).toEqual({
    ...{ kind: 'hold', reason: 'row_locked', scope: 'row', retryAtMs: NOW_MS + 4000, isDefinite: false },
  });
  expect(await endOf(busy, 1, { price: 0.5, idempotent: false })).toMatchObject({ kind: 'ambiguous' });
});

test('a time beyond every calendar is one that can still be written', async () => {
  expect(new Date(NOW_MS + (await waitOf(1e300, 1))).toISOString()).toBe('9999-12-31T23:59:59.000Z');
});
