import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseLedger } from '../../../examples/provider-sim/ledger-reading';
import { startProviderSim } from '../../../examples/provider-sim/start';
import { ask, header, withSim } from './client';

const providers = { acme: { price: 0.02, missRate: 0 }, beacon: { secret: 'open sesame', missRate: 0 } };

test('several providers answer below their own prefixes, each in its own words', async () => {
  await withSim({ providers }, async ({ url }) => {
    const company = await ask(`${url}/acme/v1/company?domain=blue-river.example`);
    expect(company.status).toBe(200);
    expect(header(company, 'x-request-id')).toEqual(['acme-1']);
    expect(JSON.parse(company.body)).toEqual({
      data: {
        domain: 'blue-river.example',
        name: 'Blue River',
        employees: expect.any(Number),
        country: expect.any(String),
        industry: expect.any(String),
      },
    });
    const email = await ask(`${url}/beacon/v1/email?domain=blue-river.example`, { secret: 'open sesame' });
    expect(JSON.parse(email.body).data.email).toMatch(/^[a-z]+@blue-river\.example$/);
    const text = await ask(`${url}/acme/v1/complete`, { method: 'POST', json: { prompt: 'Describe a river' } });
    expect(JSON.parse(text.body).data).toEqual({
      text: expect.stringContaining('Describe a river'),
      usage: { input_tokens: 4, output_tokens: expect.any(Number) },
    });
  });
});

test('a request without the right bearer token gets 401, is not charged, and no secret reaches the ledger', async () => {
  await withSim({ providers }, async ({ url, ledger }) => {
    const address = `${url}/beacon/v1/email?domain=a.example`;
    expect((await ask(address)).status).toBe(401);
    expect((await ask(address, { secret: 'wrong' })).status).toBe(401);
    expect((await ask(address, { secret: 'open sesame' })).status).toBe(200);
    expect(ledger.map((entry) => [entry.verdict, entry.charged])).toEqual([
      ['unauthorized', false],
      ['unauthorized', false],
      ['answered', true],
    ]);
    expect(JSON.stringify(ledger)).not.toMatch(/sesame|wrong/);
  });
});

test('an unknown path, provider or method is 404 with what exists, a missing field is 400 with its name', async () => {
  await withSim({ providers }, async ({ url, ledger }) => {
    const unknown = [await ask(`${url}/acme/v1/person`), await ask(`${url}/nobody/v1/company`)];
    unknown.push(await ask(`${url}/acme/v1/company`, { method: 'POST' }));
    for (const got of unknown) {
      expect(got.status).toBe(404);
      expect(JSON.parse(got.body).error.message).toContain('GET /<provider>/v1/company');
    }
    const invalid = await ask(`${url}/acme/v1/company`);
    expect([invalid.status, JSON.parse(invalid.body).error.message]).toEqual([
      400,
      'domain: expected a text that is not empty, got null',
    ]);
    expect(ledger.map((entry) => entry.verdict)).toEqual(['unknown_path', 'unknown_path', 'unknown_path', 'invalid']);
  });
});

test('the ledger file has each request on a line before its answer leaves, also when no answer ever leaves', async () => {
  const ledgerFile = join(mkdtempSync(join(tmpdir(), 'provider-sim-')), 'ledger.jsonl');
  const hanging = { ...providers.acme, faults: [{ kind: 'hang-after-charge' as const, inputs: ['slow.example'] }] };
  await withSim({ ledgerFile, providers: { acme: hanging } }, async ({ url, ledger, waitFor }) => {
    await ask(`${url}/acme/v1/company?domain=fast.example`, { key: 'k1' });
    const leaving = new AbortController();
    const slow = ask(`${url}/acme/v1/company?domain=slow.example`, { signal: leaving.signal });
    await waitFor((entries) => entries.length === 2);
    const written = parseLedger(readFileSync(ledgerFile, 'utf8'));
    leaving.abort();
    expect((await slow).status).toBeNull();
    expect(written).toEqual(ledger);
    expect(written[0]).toEqual({
      n: 1,
      provider: 'acme',
      arrivedAtMs: expect.any(Number),
      arrivedAtWallMs: expect.any(Number),
      method: 'GET',
      path: '/acme/v1/company',
      input: { domain: 'fast.example' },
      idempotencyKey: 'k1',
      inFlight: 0,
      admitted: true,
      verdict: 'answered',
      charged: true,
      price: 0.02,
      billingKey: 'key:acme:k1',
      status: 200,
    });
    expect(written[1]).toMatchObject({
      n: 2,
      verdict: 'fault',
      fault: 'hang-after-charge',
      charged: true,
      status: null,
    });
  });
});

test('GET /_ledger gives the ledger as JSON lines, and asking for it is no request of a provider', async () => {
  await withSim({ providers }, async ({ url, ledger }) => {
    await ask(`${url}/acme/v1/company?domain=a.example`);
    expect(parseLedger((await ask(`${url}/_ledger`)).body)).toEqual(ledger);
    expect(ledger).toHaveLength(1);
  });
});

test('options that are wrong are all named before anything listens', async () => {
  const wrong = startProviderSim({ providers: { acme: { price: -1, faults: [{ kind: 'miss' }] } } });
  await expect(wrong).rejects.toThrow(/price[\s\S]*expected exactly one of rate, requests, inputs/);
});

test('close frees the port while requests are under way', async () => {
  const hanging = { faults: [{ kind: 'hang-after-charge' as const, rate: 1 }] };
  const sim = await startProviderSim({ providers: { acme: { latencyMs: 60_000 }, beacon: hanging } });
  const broken = ['acme', 'beacon'].map((name) => ask(`${sim.url}/${name}/v1/company?domain=a.example`));
  await sim.waitFor((entries) => entries.length === 2);
  await sim.close();
  expect((await Promise.all(broken)).map((got) => got.status)).toEqual([null, null]);
  const again = await startProviderSim({ port: sim.port, providers: {} });
  await again.close();
});
