import { ask, header, withSim } from './client';

const address = (url: string, n: number) => `${url}/acme/v1/company?domain=row-${n}.example`;

test('above a window a request is 429, says when to come back, costs nothing and does not count itself', async () => {
  const acme = { missRate: 0, windows: [{ limit: 2, perMs: 600_000 }] };
  await withSim({ providers: { acme } }, async ({ url, ledger, summary }) => {
    const statuses = [];
    for (const n of [1, 2, 3, 4]) statuses.push((await ask(address(url, n))).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(ledger.map(({ verdict, admitted, charged }) => [verdict, admitted, charged])).toEqual([
      ['answered', true, true],
      ['answered', true, true],
      ['over_window', false, false],
      ['over_window', false, false],
    ]);
    expect(summary().providers.acme).toMatchObject({
      throttles: 2,
      windows: [{ limit: 2, perMs: 600_000, maxAdmitted: 2, maxArrived: 4 }],
    });
  });
});

test('the longest wait of several windows is the one that is said', async () => {
  const windows = [
    { limit: 1, perMs: 1000 },
    { limit: 1, perMs: 3_600_000 },
  ];
  await withSim({ providers: { acme: { windows } } }, async ({ url }) => {
    await ask(address(url, 1));
    expect(Number(header(await ask(address(url, 2)), 'retry-after')[0])).toBeGreaterThan(3000);
  });
});

test('above the concurrency a request is 429 while the admitted ones are under way', async () => {
  const acme = { concurrency: 2, missRate: 0, faults: [{ kind: 'hang-after-charge' as const, requests: [1, 2] }] };
  await withSim({ providers: { acme } }, async ({ url, ledger, summary, waitFor }) => {
    const leaving = new AbortController();
    const hanging = [1, 2].map((n) => ask(address(url, n), { signal: leaving.signal }));
    await waitFor((entries) => entries.length === 2);
    const refused = await ask(address(url, 3));
    expect([refused.status, header(refused, 'retry-after')]).toEqual([429, ['1']]);
    expect(ledger.map(({ verdict, inFlight }) => [verdict, inFlight])).toEqual([
      ['fault', 0],
      ['fault', 1],
      ['over_concurrency', 2],
    ]);
    expect(summary().providers.acme?.maxInFlight).toBe(2);
    leaving.abort();
    await Promise.all(hanging);
  });
});

test('who has an answer may send the next request: the place is free before the answer leaves', async () => {
  await withSim({ providers: { acme: { concurrency: 1, missRate: 0, latencyMs: 1 } } }, async ({ url }) => {
    for (const n of Array(30).keys()) expect((await ask(address(url, n))).status).toBe(200);
  });
});

test('limits can be lowered and lifted while it runs, and requests from before still count', async () => {
  await withSim({ providers: { acme: { missRate: 0 } } }, async ({ url, control }) => {
    expect((await ask(address(url, 1))).status).toBe(200);
    control.setLimits('acme', { windows: [{ limit: 1, perMs: 600_000 }] });
    expect((await ask(address(url, 2))).status).toBe(429);
    control.setLimits('acme', { windows: [], concurrency: 1 });
    expect((await ask(address(url, 3))).status).toBe(200);
  });
});
