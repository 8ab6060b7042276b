import type { SlotPermit, SlotReserveContext } from '@temporalio/worker';
import { ProviderGate } from '../../../worker/gates/gate';
import type { GateSettings } from '../../../worker/gates/gate-types';
import { createGateSlotSupplier } from '../../../worker/gates/slot-supplier';
import { ManualClock, settle } from './manual-clock';

const context: SlotReserveContext = {
  slotType: 'activity',
  taskQueue: 'sluice.acme.default',
  workerIdentity: 'test',
  workerBuildId: '',
  isSticky: false,
};

function supply(settings: Partial<GateSettings> = {}) {
  const clock = new ManualClock();
  const declared = { provider: 'acme', account: 'default', rate: [], concurrency: 2, giveUpAfterMs: 86_400_000 };
  const gate = new ProviderGate({ ...declared, ...settings }, clock, () => 0);
  return { clock, gate, supplier: createGateSlotSupplier(gate) };
}

/** Reserves as the SDK's poll loop does: one call with its own signal, which aborts when the worker stops polling. */
function reserve(supplier: ReturnType<typeof supply>['supplier']) {
  const abort = new AbortController();
  const state: { permit?: SlotPermit; error?: unknown } = {};
  void supplier.reserveSlot(context, abort.signal).then(
    (permit) => {
      state.permit = permit;
    },
    (error: unknown) => {
      state.error = error;
    },
  );
  return { abort, state };
}

test('slots are given up to the concurrency, and a release lets the next poll go, used or not', async () => {
  const { supplier } = supply();
  const [first, second, third] = [reserve(supplier), reserve(supplier), reserve(supplier)];
  await settle();
  expect([first, second, third].map(({ state }) => state.permit !== undefined)).toEqual([true, true, false]);
  expect(supplier.tryReserveSlot(context)).toBeNull();
  const permit = first.state.permit!;
  supplier.markSlotUsed({ permit, slotInfo: { type: 'activity', activityType: 'dispatch' } });
  await settle();
  expect(third.state.permit).toBeUndefined();
  supplier.releaseSlot({ permit, slotInfo: { type: 'activity', activityType: 'dispatch' } });
  await settle();
  expect(third.state.permit).toBeDefined();
  supplier.releaseSlot({ permit: second.state.permit! });
  expect(supplier.tryReserveSlot(context)).not.toBeNull();
});

test('a closed gate gives no slot until it reopens, and then one for the probe', async () => {
  const { supplier, gate, clock } = supply();
  gate.close({ retryAtMs: clock.wallMs() + 8_000, reason: 'throttled' });
  const polls = [reserve(supplier), reserve(supplier)];
  expect(supplier.tryReserveSlot(context)).toBeNull();
  await clock.advance(7_999);
  expect(polls.map(({ state }) => state.permit !== undefined)).toEqual([false, false]);
  await clock.advance(1);
  expect(polls.map(({ state }) => state.permit !== undefined)).toEqual([true, false]);
});

test('a full window gives no slot until shortly before it has room again', async () => {
  const { supplier, gate, clock } = supply({ rate: [{ limit: 1, perMs: 60_000 }] });
  const answer = await gate.acquire({ maxWaitMs: 0, signal: new AbortController().signal });
  if (answer.kind !== 'permit') throw new Error('expected a permit');
  answer.permit.startSending();
  answer.permit.release();
  const poll = reserve(supplier);
  await clock.advance(55_000);
  expect(poll.state.permit).toBeUndefined();
  await clock.advance(1_000);
  expect(poll.state.permit).toBeDefined();
});

test('a shutdown rejects with the reason of the signal, without a listener or a timer left', async () => {
  const { supplier, gate, clock } = supply();
  gate.close({ retryAtMs: clock.wallMs() + 3_600_000, reason: 'throttled' });
  const poll = reserve(supplier);
  const removed = jest.spyOn(poll.abort.signal, 'removeEventListener');
  await settle();
  expect(clock.timersLeft).toBe(1);
  poll.abort.abort();
  await settle();
  expect(poll.state.error).toBe(poll.abort.signal.reason);
  expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
  expect(clock.timersLeft).toBe(0);
  await expect(supplier.reserveSlot(context, poll.abort.signal)).rejects.toBe(poll.abort.signal.reason);
});

test('an exhausted account opens its slots, so that its queue empties', async () => {
  const { supplier, gate } = supply({ concurrency: 1 });
  const polls = [reserve(supplier), reserve(supplier), reserve(supplier)];
  await settle();
  expect(polls.map(({ state }) => state.permit !== undefined)).toEqual([true, false, false]);
  gate.needsPerson('acme/default: 402, no credits left');
  await settle();
  expect(polls.map(({ state }) => state.permit !== undefined)).toEqual([true, true, true]);
});
