import { latencyMs } from '../../../examples/provider-sim/latency';
import { ask, withSim } from './client';

const range = { minMs: 100, maxMs: 300 };
const drawn = (seed: string) => Array.from({ length: 500 }, (_, n) => latencyMs(range, seed, n));

test('a range is used from end to end and never left, a fixed latency is kept', () => {
  expect(Math.min(...drawn('1'))).toBeGreaterThanOrEqual(100);
  expect(Math.min(...drawn('1'))).toBeLessThan(110);
  expect(Math.max(...drawn('1'))).toBeLessThanOrEqual(300);
  expect(Math.max(...drawn('1'))).toBeGreaterThan(290);
  expect(latencyMs(40, '1', 7)).toBe(40);
});

test('the same seed draws the same latencies', () => {
  expect(drawn('1')).toEqual(drawn('1'));
  expect(drawn('1')).not.toEqual(drawn('2'));
});

test('many requests may be under way at the same time, and faster ones overtake slower ones', async () => {
  const acme = { missRate: 0, latencyMs: { minMs: 1, maxMs: 80 } };
  await withSim({ providers: { acme } }, async ({ url, summary }) => {
    const left: number[] = [];
    const asked = Array.from({ length: 40 }, async (_, n) => {
      expect((await ask(`${url}/acme/v1/company?domain=row-${n}.example`)).status).toBe(200);
      left.push(n);
    });
    await Promise.all(asked);
    expect(left).not.toEqual([...left].sort((a, b) => a - b));
    expect(summary().providers.acme?.maxInFlight).toBeGreaterThan(1);
  });
});
