import { answer, isMiss } from '../../../examples/provider-sim/answers';
import { ask, withSim } from './client';

const PLAIN = { missRate: 0, answerFilling: 0 };
const domains = Array.from({ length: 2000 }, (_, n) => `row-${n}.example`);

test('the same question has the same answer in every simulator, another domain has another', () => {
  expect(answer('company', { domain: 'a.example' }, PLAIN)).toEqual(answer('company', { domain: 'a.example' }, PLAIN));
  expect(answer('company', { domain: 'a.example' }, PLAIN)).not.toEqual(
    answer('company', { domain: 'b.example' }, PLAIN),
  );
});

test('filling makes an answer larger and changes nothing else', () => {
  const { kind, reply } = answer('company', { domain: 'a.example' }, { ...PLAIN, answerFilling: 5000 });
  const { filling, ...data } = JSON.parse(reply.body).data;
  expect([kind, filling.length]).toEqual(['found', 5000]);
  expect({ data }).toEqual(JSON.parse(answer('company', { domain: 'a.example' }, PLAIN).reply.body));
});

test('about the wanted share of domains is a miss, and another share for another endpoint', () => {
  const misses = (endpoint: 'company' | 'email') => domains.filter((domain) => isMiss(endpoint, domain, 0.08));
  expect(misses('company').length / domains.length).toBeCloseTo(0.08, 1);
  expect(misses('email')).not.toEqual(misses('company'));
  expect(domains.filter((domain) => isMiss('company', domain, 0))).toEqual([]);
});

test('a documented miss is a 404 of its own code, charged only where misses cost', async () => {
  const miss = { missRate: 1, price: 1 };
  await withSim({ providers: { acme: miss, beacon: { ...miss, chargeMisses: true } } }, async ({ url, ledger }) => {
    for (const provider of ['acme', 'beacon']) {
      const got = await ask(`${url}/${provider}/v1/company?domain=a.example`);
      expect([got.status, JSON.parse(got.body).error.code]).toEqual([404, 'not_found']);
    }
    expect(ledger.map(({ verdict, price }) => [verdict, price])).toEqual([
      ['missed', 0],
      ['missed', 1],
    ]);
  });
});
