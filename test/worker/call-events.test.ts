// After a 429 a real worker's log and metrics tell each step of the call, and nothing in them identifies a row, an input or a key.
import { freePort } from '../../scripts/ports';
import { eventually } from '../helpers/eventually';
import { type MapLab, openMapLab } from '../helpers/map-lab';

const SECRET = 'tell-tale-secret';
const DOMAINS = ['zebra-one', 'zebra-two', 'zebra-three'];

let lab: MapLab;
let log: string[];
let metrics: string;

const column = (name: string, tool: string) => ({ name, tool, input: { domain: '{{ row.domain }}' } });
const spec = (tool: string) => ({
  dataset: { rows: DOMAINS.map((domain) => ({ domain })), key: 'domain' },
  columns: [column('firm', tool)],
});

beforeAll(async () => {
  const port = await freePort();
  lab = await openMapLab({
    sim: {
      providers: {
        acme: {
          missRate: 0,
          closings: [
            { atRequest: 1, durationMs: 500 },
            { atRequest: 3, durationMs: 6000 },
          ],
        },
        shut: { secret: 'another-secret' },
      },
    },
    providers: { acme: { limits: { concurrency: 1 }, secret: SECRET }, shut: { secret: SECRET } },
  });
  const worker = await lab.workerProcess({ SLUICE_METRICS: `127.0.0.1:${port}` });
  const throttled = await lab.start(spec('acme.company'), 'throttled');
  const refused = await lab.start(spec('shut.company'), 'refused');
  await Promise.all([throttled.result(), refused.result()]);
  const lines = () =>
    worker
      .log()
      .split('\n')
      .filter((line) => / (INFO|ERROR) /.test(line));
  await eventually(
    async () => lines().join('\n'),
    (text) => text.includes('needs a person'),
  );
  log = lines();
  metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
});
afterAll(() => lab.close());

/** Events of one kind, with what they tell. */
const told = (event: string): { [name: string]: unknown }[] =>
  log.filter((line) => line.includes(` INFO ${event} {`)).map((line) => JSON.parse(line.slice(line.indexOf('{'))));

test('a short wait is told from the refusal to the next permit, with elapsed times and the number of the next request', () => {
  expect(told('answer received')[0]).toMatchObject({
    provider: 'acme',
    account: 'default',
    tool: 'acme.company',
    nextAttempt: 2,
    outcome: 'throttled',
    status: 429,
    elapsedMs: expect.any(Number),
  });
  expect(told('wait completed')[0]).toMatchObject({ nextAttempt: 2, elapsedMs: expect.any(Number) });
  for (const event of ['permit wait started', 'permit acquired'])
    expect(told(event)[0]).toMatchObject({ nextAttempt: 2 });
});

test('a wait on a durable timer is told with its length, and then the start of the dispatch that follows it', () => {
  const [started] = told('dispatch started');
  expect(started).toMatchObject({ tool: 'acme.company', elapsedMs: expect.any(Number) });
  expect(told('wait completed').some(({ elapsedMs }) => Number(elapsedMs) > 5000)).toBe(true);
});

test('an account that needs a person is an error with the status that said so', () => {
  const line = log.find((one) => one.includes('account shut.default needs a person, nothing more is sent to it'));
  expect(line).toContain(' ERROR ');
  expect(line).toContain('"outcome":"AUTH_INVALID","status":401');
});

test('metrics count the same steps', () => {
  expect(metrics).toMatch(/sluice_call_events\w*\{[^}]*event="answer_received"[^}]*\} \d/);
  expect(metrics).toMatch(/sluice_call_step\w*_bucket\{[^}]*event="wait_completed"/);
});

test('no row, no input, no map and no key is in any line or metric', () => {
  expect(log.length).toBeGreaterThan(5);
  const all = [...log, metrics].join('\n');
  for (const secret of [...DOMAINS, SECRET, 'throttled/', 'refused/', '/r/', 'Idempotency'])
    expect(all).not.toContain(secret);
  expect(all).not.toMatch(/"(input|rowIdentity|workflowId|runId|billingRequestId|idempotencyKey)"/);
});
