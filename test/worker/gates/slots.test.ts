import fc from 'fast-check';
import { type SlotDemand, slotsFor } from '../../../worker/gates/slots';

const usual: SlotDemand = { closed: false, concurrency: 10, admitted: 100, inFlight: 0, residentWaits: 0 };

test('there are as many slots as calls that may run, at least one', () => {
  expect(slotsFor(usual)).toBe(10);
  expect(slotsFor({ ...usual, admitted: 3 })).toBe(3);
  expect(slotsFor({ ...usual, admitted: 0.5 })).toBe(1);
});

test('a closed gate, a full window and a share of nothing give none', () => {
  expect(slotsFor({ ...usual, closed: true })).toBe(0);
  expect(slotsFor({ ...usual, admitted: 0 })).toBe(0);
  expect(slotsFor({ ...usual, concurrency: 0 })).toBe(0);
});

test('calls in flight come on top of what a slow window admits, so that long calls overlap', () => {
  expect(slotsFor({ ...usual, concurrency: 100, admitted: 5, inFlight: 20 })).toBe(25);
});

test('each wait inside an activity makes room for another call, up to twice the concurrency', () => {
  expect(slotsFor({ ...usual, residentWaits: 4 })).toBe(14);
  expect(slotsFor({ ...usual, residentWaits: 400 })).toBe(20);
});

test('the answer is always a whole number within twice the concurrency', () => {
  const demand = fc.record({
    closed: fc.boolean(),
    concurrency: fc.integer({ min: 0, max: 200 }),
    admitted: fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constant(Number.POSITIVE_INFINITY)),
    inFlight: fc.integer({ min: 0, max: 400 }),
    residentWaits: fc.integer({ min: 0, max: 400 }),
  });
  fc.assert(
    fc.property(demand, (any) => {
      const slots = slotsFor(any);
      expect(Number.isInteger(slots)).toBe(true);
      expect(slots).toBeGreaterThanOrEqual(0);
      expect(slots).toBeLessThanOrEqual(2 * any.concurrency);
    }),
    { numRuns: 200 },
  );
});
