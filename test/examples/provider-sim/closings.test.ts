import { Closings } from '../../../examples/provider-sim/closings';
import { ask, header, withSim } from './client';

const options = (durationMs: number) => ({ durationMs, status: 429 as const });

test('a closing by arrival number starts with that arrival and ends after its duration', () => {
  const closings = new Closings([{ ...options(1000), atRequest: 3 }]);
  expect(closings.meet(2, 0, 50)).toBeUndefined();
  expect(closings.meet(3, 0, 100)).toMatchObject({ closing: 1, remainingMs: 1000 });
  expect(closings.meet(4, 0, 1099)).toMatchObject({ closing: 1, remainingMs: 1 });
  expect(closings.meet(5, 0, 1100)).toBeUndefined();
});

test('a closing by time counts from the first arrival and is over at its planned end although nobody met its start', () => {
  const planned = () => new Closings([{ ...options(1000), afterMs: 6000 }]);
  expect(planned().meet(2, 500, 6499)).toBeUndefined();
  expect(planned().meet(2, 500, 6700)).toMatchObject({ closing: 1, remainingMs: 800 });
  expect(planned().meet(2, 500, 7500)).toBeUndefined();
});

test('of two closings in force the longer one is met, and open ends both but not one that is still to come', () => {
  const closings = new Closings([{ ...options(100), afterMs: 9000 }]);
  closings.close(options(5000), 0);
  expect(closings.close(options(3000), 0)).toBe(3);
  expect(closings.meet(1, 0, 1000)).toMatchObject({ closing: 2, remainingMs: 4000 });
  closings.open(1000);
  expect(closings.meet(2, 0, 1000)).toBeUndefined();
  expect(closings.meet(3, 0, 9000)).toMatchObject({ closing: 1 });
});

test('a scheduled closing refuses over HTTP, is numbered in the ledger and counted in the summary', async () => {
  const acme = { missRate: 0, closings: [{ atRequest: 2, durationMs: 600_000 }] };
  await withSim({ providers: { acme } }, async ({ url, control, ledger, summary }) => {
    const address = `${url}/acme/v1/company?domain=a.example`;
    expect((await ask(address)).status).toBe(200);
    const refused = [await ask(address), await ask(address)];
    expect(refused.map((got) => [got.status, header(got, 'retry-after')])).toEqual([
      [429, ['600']],
      [429, ['600']],
    ]);
    control.open('acme');
    expect((await ask(address)).status).toBe(200);
    expect(ledger.map((entry) => entry.closing)).toEqual([undefined, 1, 1, undefined]);
    expect(summary().providers.acme).toMatchObject({ throttles: 2, closings: [{ closing: 1, refusals: 2 }] });
  });
});

test('a closing can answer 503, and closes one provider only', async () => {
  await withSim({ providers: { acme: { missRate: 0 }, beacon: { missRate: 0 } } }, async ({ url, control }) => {
    expect(control.close('acme', { durationMs: 600_000, status: 503 })).toBe(1);
    const refused = await ask(`${url}/acme/v1/company?domain=a.example`);
    expect([refused.status, JSON.parse(refused.body).error.code]).toEqual([503, 'unavailable']);
    expect((await ask(`${url}/beacon/v1/company?domain=a.example`)).status).toBe(200);
  });
});
