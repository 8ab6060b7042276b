import { connect } from 'node:net';
import { pickFault } from '../../../examples/provider-sim/faults';
import { FAULT_KINDS, type FaultKind } from '../../../examples/provider-sim/options';
import { ask, header, withSim } from './client';

const broken = { status: null, charged: false };
const expected: { [kind in FaultKind]: { status: number | null; charged: boolean } } = {
  'error-before-charge': { status: 500, charged: false },
  'error-after-charge': { status: 500, charged: true },
  'reset-before-charge': broken,
  'reset-after-charge': { ...broken, charged: true },
  'hang-before-charge': broken,
  'hang-after-charge': { ...broken, charged: true },
  'in-progress-after-charge': { status: 409, charged: true },
  'cut-body': { ...broken, charged: true },
  'wrong-content-type': { status: 200, charged: true },
  'malformed-json': { status: 200, charged: true },
  miss: { status: 404, charged: false },
  'needs-credits': { status: 402, charged: false },
};

test.each(FAULT_KINDS)('%s: what the client gets and what the ledger says', async (kind) => {
  const acme = { missRate: 0, price: 2, faults: [{ kind, inputs: [`${kind}.example`] }] };
  await withSim({ providers: { acme } }, async ({ url, ledger, waitFor }) => {
    const leaving = new AbortController();
    const asked = ask(`${url}/acme/v1/company?domain=${kind}.example`, { signal: leaving.signal });
    await waitFor((entries) => entries.length === 1);
    if (kind.startsWith('hang')) leaving.abort();
    const { status, charged } = expected[kind];
    expect((await asked).status).toBe(status);
    expect(ledger[0]).toMatchObject({ verdict: 'fault', fault: kind, charged, price: charged ? 2 : 0 });
    expect((await ask(`${url}/acme/v1/company?domain=other.example`)).status).toBe(200);
  });
});

test('a reset is a TCP reset, a cut body breaks in the middle, and the other two are whole but unusable', async () => {
  const kinds = ['reset-after-charge', 'cut-body', 'wrong-content-type', 'malformed-json'] as const;
  const faults = kinds.map((kind) => ({ kind, inputs: [`${kind}.example`] }));
  await withSim({ providers: { acme: { missRate: 0, faults } } }, async ({ url }) => {
    const get = (kind: FaultKind) => ask(`${url}/acme/v1/company?domain=${kind}.example`);
    // An HTTP client says ECONNRESET for a plain end as well, a bare socket tells them apart.
    expect(await bareSocketEnd(url, '/acme/v1/company?domain=reset-after-charge.example')).toBe('ECONNRESET');
    const cut = await get('cut-body');
    expect(cut.lines).toContainEqual(['content-type', 'application/json']);
    expect(cut.body.length).toBeLessThan(Number(header(cut, 'content-length')[0]));
    expect(cut.body).not.toBe('');
    expect(header(await get('wrong-content-type'), 'content-type')).toEqual(['text/html']);
    const malformed = await get('malformed-json');
    expect(() => JSON.parse(malformed.body)).toThrow(SyntaxError);
  });
});

/** How the connection of one request ends: the code of a socket error, or `end`. */
function bareSocketEnd(url: string, path: string): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: sim\r\n\r\n`));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.on('end', () => resolve('end'));
  });
}

test('a fault by number strikes those admitted requests only, and setFaults replaces the rules', async () => {
  const acme = { missRate: 0, faults: [{ kind: 'error-before-charge' as const, requests: [2, 4] }] };
  await withSim({ providers: { acme } }, async ({ url, control }) => {
    const get = async () => (await ask(`${url}/acme/v1/company?domain=a.example`)).status;
    expect([await get(), await get(), await get(), await get(), await get()]).toEqual([200, 500, 200, 500, 200]);
    control.setFaults('acme', [{ kind: 'needs-credits', rate: 1 }]);
    expect(await get()).toBe(402);
  });
});

test('a fault that is limited to the first try lets the second one through', async () => {
  const acme = { missRate: 0, faults: [{ kind: 'error-before-charge' as const, rate: 1, times: 1 }] };
  await withSim({ providers: { acme } }, async ({ url }) => {
    const get = async (domain: string) => (await ask(`${url}/acme/v1/company?domain=${domain}`)).status;
    expect([await get('a.example'), await get('b.example')]).toEqual([500, 500]);
    expect([await get('b.example'), await get('a.example')]).toEqual([200, 200]);
  });
});

test('a rate strikes its share of the inputs, the same ones for the same seed and others for another seed', () => {
  const struck = (seed: string) =>
    Array.from({ length: 2000 }, (_, n) => `row-${n}.example`).filter((domain) =>
      pickFault([{ kind: 'miss', rate: 0.1 }], {
        ...{ seed, input: { domain }, inputKey: domain, tryNumber: 1, requestNumber: 1 },
      }),
    );
  expect(struck('1')).toEqual(struck('1'));
  expect(struck('1')).not.toEqual(struck('2'));
  expect(struck('1').length).toBeGreaterThan(150);
  expect(struck('1').length).toBeLessThan(250);
});
