import { PauseState } from '../../workflows/pause-state';

test('orders that overtake each other end in the latest one', () => {
  const map = new PauseState();
  const orders = [true, false, true, false].map((paused) => map.change(paused)!);
  for (const arrival of [orders, [...orders].reverse(), [orders[1]!, orders[3]!, orders[0]!, orders[2]!]]) {
    const row = new PauseState();
    for (const order of arrival) row.accept(order);
    expect(row.isPaused).toBe(false);
  }
});

test('an order that changes nothing is not sent, and one that was heard is not heard again', () => {
  const map = new PauseState();
  const order = map.change(true)!;
  expect(map.change(true)).toBeNull();
  const row = new PauseState();
  expect([row.accept(order), row.accept(order), row.isPaused]).toEqual([true, false, true]);
});
