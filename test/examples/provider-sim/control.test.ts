import { ask, header, withSim } from './client';

const company = (url: string) => ask(`${url}/acme/v1/company?domain=a.example`);
const command = (url: string, json: unknown) => ask(`${url}/_control`, { method: 'POST', json });

test('over HTTP a provider is closed, opened, limited and made to fail', async () => {
  await withSim({ providers: { acme: { missRate: 0 } } }, async ({ url, ledger }) => {
    const closing = { durationMs: 600_000, status: 503, style: 'ms-header', hintMs: 7000 };
    expect((await command(url, { action: 'close', provider: 'acme', ...closing })).status).toBe(200);
    const refused = await company(url);
    expect([refused.status, header(refused, 'retry-after-ms')]).toEqual([503, ['7000']]);
    await command(url, { action: 'open', provider: 'acme' });
    expect((await company(url)).status).toBe(200);
    await command(url, { action: 'setFaults', provider: 'acme', faults: [{ kind: 'needs-credits', rate: 1 }] });
    expect((await company(url)).status).toBe(402);
    await command(url, { action: 'setLimits', provider: 'acme', windows: [{ limit: 1, perMs: 600_000 }] });
    expect((await company(url)).status).toBe(429);
    expect(ledger).toHaveLength(4);
  });
});

test.each([
  [{ action: 'close', provider: 'acme', durationMs: 1, colour: 'red' }, 'colour'],
  [{ action: 'close', provider: 'acme' }, 'durationMs'],
  [{ action: 'open', provider: 'nobody' }, 'got \\"nobody\\", expected one of acme'],
  [{ action: 'explode', provider: 'acme' }, 'action'],
])('a wrong command is 400 and says what is wrong: %j', async (json, message) => {
  await withSim({ providers: { acme: { missRate: 0 } } }, async ({ url }) => {
    const got = await command(url, json);
    expect(got.status).toBe(400);
    expect(got.body).toContain(message);
    expect((await company(url)).status).toBe(200);
  });
});

test('GET /_summary is the summary, and other paths of the simulator say what exists', async () => {
  await withSim({ providers: { acme: { missRate: 0, windows: [{ limit: 5, perMs: 1000 }] } } }, async (sim) => {
    await company(sim.url);
    expect(JSON.parse((await ask(`${sim.url}/_summary`)).body)).toEqual(sim.summary());
    expect(sim.summary().providers.acme?.windows).toMatchObject([
      { limit: 5, perMs: 1000, maxAdmitted: 1, maxArrived: 1 },
    ]);
    expect((await ask(`${sim.url}/_stop`)).body).toContain('expected GET /_ledger');
  });
});
