// A map on a language model that limits tokens in a minute: no call is refused, what answers have used is given back, and the gate of tokens can be seen and set.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { GateStatus } from '../../contracts/gate';
import { sluice } from '../client/fixtures/captured-shell';
import { eventually } from '../helpers/eventually';
import { type MapLab, openMapLab } from '../helpers/map-lab';

const TOKENS = { limit: 3000, perMs: 60_000, unit: 'tokens' as const };
/** 40 tokens of input. Their answers have about 25, and could have 100. */
const PROMPT = 'x'.repeat(157);

let lab: MapLab;
let worker: Awaited<ReturnType<MapLab['worker']>>;

beforeAll(async () => {
  lab = await openMapLab({ sim: { providers: { llm: { windows: [TOKENS] } } }, providers: {} });
  const file = {
    provider: 'llm',
    baseUrl: `${lab.sim.url}/llm`,
    limits: { rate: [{ limit: 3000, per: '1m', unit: 'tokens' }], concurrency: 4 },
    tools: {
      complete: {
        effect: 'read',
        price: 0,
        units: {
          tokens: {
            most: '{{ $length(input.prompt) / 4 + 100 }}',
            used: '{{ body.data.usage.input_tokens + body.data.usage.output_tokens }}',
          },
        },
        request: { method: 'POST', path: '/v1/complete', body: { prompt: '{{ input.prompt }}' } },
        response: { value: '{{ body.data.text }}' },
      },
    },
  };
  await writeFile(join(lab.folder, 'providers', 'llm.provider.yaml'), stringify(file));
  worker = await lab.worker();
});
afterAll(() => lab.close());

const mapOf = (prompts: string[]) => ({
  dataset: { rows: prompts.map((prompt, row) => ({ row, prompt })), key: 'row' },
  columns: [{ name: 'text', tool: 'llm.complete', input: { prompt: '{{ row.prompt }}' } }],
});

const run = (...args: string[]) => sluice([...args, '--address', lab.address, '--namespace', lab.namespace]);

const tokenGate = async (): Promise<GateStatus> =>
  JSON.parse((await run('gate', 'status', 'llm.default.tokens', '--json')).stdout);

test('calls that could use more than a minute has run within it, since each answer gives back what it did not use', async () => {
  const prompts = Array.from({ length: 30 }, (_, row) => `${String(row).padStart(3, '0')}${PROMPT}`);
  const map = await lab.start(mapOf([...prompts, 'y'.repeat(12_000)]));
  const result = await map.result();
  expect(result.rows).toMatchObject({ done: 30, failed: 1 });
  const [failure] = await map.failures();
  expect(failure).toMatchObject({ code: 'QUERY_TOO_EXPENSIVE', message: expect.stringContaining('3100 tokens') });

  const { llm } = lab.sim.summary().providers;
  expect(llm).toMatchObject({ requests: 30, throttles: 0, verdicts: { answered: 30 } });
  const used = lab.sim.ledger.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
  expect(llm?.windows[0]?.maxAdmitted).toBeLessThanOrEqual(TOKENS.limit);
  // More than once round, had all of them counted with the most they could use.
  expect(30 * (40 + 100)).toBeGreaterThan(TOKENS.limit);
  const { counts, inForce } = await eventually(tokenGate, ({ counts }) => counts.sent === used);
  expect(counts).toMatchObject({ sent: used, throttled: 0 });
  expect(inForce.rate).toEqual([{ limit: 3000, perMs: 60_000 }]);
});

test('a person sees the gate of tokens beside that of requests, and sets it; a call that no longer fits is refused', async () => {
  const list = await run('gate', 'list');
  expect(list.stdout).toMatch(/llm\.default +open/);
  expect(list.stdout).toMatch(/llm\.default\.tokens +open .*3000 in 1m/);
  expect((await run('gate', 'status', 'llm.default.tokens')).stdout).toMatch(/used +\d+ tokens by 30 answered calls/);
  const short = await run('gate', 'set', 'llm.default.tokens', '--rate', '100/1s');
  expect([short.exitCode, short.stderr]).toEqual([
    2,
    expect.stringContaining('a window of tokens is at least 1m long'),
  ]);
  expect((await run('gate', 'set', 'llm.default.tokens', '--rate', '100/1m')).exitCode).toBe(0);
  // What a worker has been given it may use up: the next one is given by the new limit.
  worker.stop();
  await worker.finished;
  await lab.worker();
  const map = await lab.start(mapOf([PROMPT]));
  await map.result();
  const [failure] = await map.failures();
  expect(failure).toMatchObject({ code: 'QUERY_TOO_EXPENSIVE', message: expect.stringContaining('admits 100 in') });
});
