import { ask, withSim } from './client';

const company = (url: string, domain: string) => `${url}/acme/v1/company?domain=${domain}`;

test('the same key with the same request gets the stored answer and is charged once', async () => {
  await withSim({ providers: { acme: { missRate: 0, price: 0.02 } } }, async ({ url, ledger, summary }) => {
    const first = await ask(company(url, 'a.example'), { key: 'k1' });
    const second = await ask(company(url, 'a.example'), { key: 'k1' });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(ledger.map(({ verdict, charged }) => [verdict, charged])).toEqual([
      ['answered', true],
      ['replayed', false],
    ]);
    expect(summary()).toMatchObject({ requests: 2, charges: 1, cost: 0.02, duplicateCharges: 0 });
  });
});

test.each(['error-after-charge', 'reset-after-charge', 'hang-after-charge', 'cut-body'] as const)(
  'after %s the key brings the answer that was paid for',
  async (kind) => {
    const acme = { missRate: 0, faults: [{ kind, inputs: ['a.example'] }] };
    await withSim({ providers: { acme } }, async ({ url, summary, waitFor }) => {
      const leaving = new AbortController();
      const lost = ask(company(url, 'a.example'), { key: 'k1', signal: leaving.signal });
      await waitFor((entries) => entries.length === 1);
      if (kind === 'hang-after-charge') leaving.abort();
      await lost;
      // After a client left, its place is given back when the server hears of it.
      let again = await ask(company(url, 'a.example'), { key: 'k1' });
      while (again.status === 409) again = await ask(company(url, 'a.example'), { key: 'k1' });
      expect(again.status).toBe(200);
      expect(summary()).toMatchObject({ charges: 1, duplicateCharges: 0 });
    });
  },
);

test.each(['error-before-charge', 'reset-before-charge', 'needs-credits'] as const)(
  'after %s the key is free again',
  async (kind) => {
    const acme = { missRate: 0, faults: [{ kind, inputs: ['a.example'], times: 1 }] };
    await withSim({ providers: { acme } }, async ({ url, ledger }) => {
      await ask(company(url, 'a.example'), { key: 'k1' });
      expect((await ask(company(url, 'a.example'), { key: 'k1' })).status).toBe(200);
      expect(ledger.map(({ charged }) => charged)).toEqual([false, true]);
    });
  },
);

test('the same key while the first request is under way is 409, with another request it is 422', async () => {
  const acme = { missRate: 0, faults: [{ kind: 'hang-after-charge' as const, inputs: ['a.example'] }] };
  await withSim({ providers: { acme } }, async ({ url, ledger, waitFor }) => {
    const leaving = new AbortController();
    const hanging = ask(company(url, 'a.example'), { key: 'k1', signal: leaving.signal });
    await waitFor((entries) => entries.length === 1);
    expect((await ask(company(url, 'a.example'), { key: 'k1' })).status).toBe(409);
    expect((await ask(company(url, 'b.example'), { key: 'k1' })).status).toBe(422);
    expect(ledger.map(({ verdict }) => verdict)).toEqual(['fault', 'key_in_progress', 'key_mismatch']);
    leaving.abort();
    await hanging;
  });
});

test('a provider without idempotency charges a repeated key again, and the ledger shows it as a duplicate', async () => {
  await withSim({ providers: { acme: { missRate: 0, idempotency: false } } }, async ({ url, summary }) => {
    for (const _ of [1, 2, 3]) await ask(company(url, 'a.example'), { key: 'k1' });
    expect(summary()).toMatchObject({ charges: 3, duplicateCharges: 2 });
  });
});

test('without a key the same question charged twice is a duplicate, another question is not', async () => {
  await withSim({ providers: { acme: { missRate: 0 } } }, async ({ url, summary }) => {
    for (const domain of ['a.example', 'a.example', 'b.example']) await ask(company(url, domain));
    expect(summary()).toMatchObject({ charges: 3, duplicateCharges: 1 });
  });
});
