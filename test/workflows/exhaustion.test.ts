// An account that is given up: queued rows end at once with what they have, the map starts no more, and whoever mends it lets it go on (design 2, rule 9).
import { gateWorkflowId } from '../../contracts/ids';
import { GATE_SIGNAL } from '../../contracts/names';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';

const ROWS = 300;
const CONCURRENCY = 4;
const DAY_MS = 86_400_000;

let lab: MapLab;
beforeAll(async () => {
  const quiet = { missRate: 0, latencyMs: 20 };
  lab = await openMapLab({
    sim: {
      providers: {
        quota: { ...quiet, closings: [{ atRequest: 10, durationMs: DAY_MS }] },
        slow: { ...quiet, closings: [{ atRequest: 10, durationMs: 12_000 }] },
        broke: { ...quiet, faults: [{ kind: 'needs-credits', inputs: ['r9.example'] }] },
      },
    },
    providers: {
      quota: { limits: { concurrency: CONCURRENCY }, giveUpAfter: '1h' },
      slow: { limits: { concurrency: CONCURRENCY }, giveUpAfter: '6s' },
      broke: { limits: { concurrency: CONCURRENCY } },
    },
  });
  await Promise.all([lab.workerProcess(), lab.workerProcess()]);
});
afterAll(() => lab.close());

const start = (provider: string, rows = ROWS) =>
  lab.start({
    dataset: { rows: domainRows(rows), key: 'domain' },
    columns: [{ name: 'firm', tool: `${provider}.company`, input: { domain: '{{ row.domain }}' } }],
  });
const requestsTo = (provider: string) => lab.sim.ledger.filter((entry) => entry.provider === provider).length;

test('a quota that is closed for longer than giveUpAfter ends its rows at once, with the instant, and starts no others', async () => {
  const map = await start('quota');
  const { rows, status } = await map.result();
  expect(status).toBe('completed');
  expect(rows.done).toBeGreaterThan(0);
  expect(rows.failed).toBeGreaterThan(0);
  expect(rows.not_run).toBeGreaterThan(0);
  expect(rows.done + rows.failed + rows.not_run).toBe(ROWS);
  expect(requestsTo('quota')).toBeLessThanOrEqual(10 + CONCURRENCY);
  const failures = await map.failures();
  const given = failures.filter(({ code }) => code === 'PROVIDER_EXHAUSTED' || code === 'RATE_LIMIT_WAIT_TOO_LONG');
  expect(given).toHaveLength(rows.failed);
  for (const { retryAt, repairable } of given) {
    expect(repairable).toBe(true);
    expect(Date.parse(String(retryAt)) - Date.now()).toBeGreaterThan(DAY_MS - 300_000);
  }
  const untouched = failures.filter(({ code }) => code === 'NOT_RUN');
  expect(untouched).toHaveLength(rows.not_run);
  expect(untouched[0]).toMatchObject({ message: expect.stringMatching(/PROVIDER_EXHAUSTED: quota\/default: closed/) });
  expect((await map.summary()).warnings.join()).toMatch(/no further row was started since PROVIDER_EXHAUSTED/);
});

test('without a success for giveUpAfter the queued rows end, and after the reopening one success starts anew', async () => {
  const { rows } = await (await start('slow')).result();
  expect(rows.failed).toBeGreaterThan(0);
  expect(rows.not_run).toBeGreaterThan(0);
  await eventually(
    async () => (await (await start('slow', 10)).result()).rows,
    ({ done }) => done === 10,
    60_000,
  );
});

test('an account without credits is stopped for all workers until its gate is resumed; untouched rows are not run', async () => {
  const map = await start('broke');
  const { rows } = await map.result();
  expect(rows.not_run).toBeGreaterThan(ROWS / 2);
  expect(rows.failed).toBe(1);
  const sent = requestsTo('broke');
  const stopped = await (await start('broke', 5)).result();
  expect(stopped.rows).toMatchObject({ done: 0, not_run: 5 });
  expect(requestsTo('broke')).toBe(sent);
  await lab.client.workflow.getHandle(gateWorkflowId('broke', 'default')).signal(GATE_SIGNAL.resume);
  const resumed = await (await start('broke', 5)).result();
  expect(resumed.rows).toMatchObject({ done: 5 });
});
