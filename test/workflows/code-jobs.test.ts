// Jobs whose requests are written in TypeScript: the same promises as for those of a provider file.
import { join } from 'node:path';
import { type MapLab, openMapLab } from '../helpers/map-lab';
import { jobLedger, reportSpec } from './fixtures/job-ledger';
import { researchTool } from './fixtures/research-tool';

jest.setTimeout(180_000);

const BRIEF = { price: 0.5, jobs: { durationMs: 1500 } };
const ENDLESS = { price: 0.5, jobs: { durationMs: 3_600_000 } };

const SIMULATED = {
  brief: BRIEF,
  failing: { price: 0.5, jobs: { durationMs: 500, failingInputs: ['r0.example'] } },
  shy: { ...BRIEF, faults: [{ kind: 'error-before-charge' as const, requests: [2, 3] }] },
  busy: { ...BRIEF, faults: [{ kind: 'in-progress-after-charge' as const, requests: [1] }] },
  keyless: { ...BRIEF, faults: [{ kind: 'reset-after-charge' as const, requests: [1] }] },
  patient: { price: 0.5, jobs: { durationMs: 3_600_000, retryAfterSeconds: 3 } },
  late: ENDLESS,
  stopped: ENDLESS,
};
const PROVIDERS = Object.keys(SIMULATED);

let lab: MapLab;
beforeAll(async () => {
  lab = await openMapLab({
    sim: { providers: SIMULATED },
    providers: Object.fromEntries(PROVIDERS.map((name) => [name, {}])),
    environment: { SLUICE_LEASE_TTL: '3s' },
    codeTools: (simUrl) =>
      PROVIDERS.map((name) =>
        researchTool(name, simUrl, {
          ...(name === 'late' ? { deadlineMs: 3000 } : {}),
          ...(name === 'keyless' ? { idempotent: false } : {}),
        }),
      ),
  });
  await lab.worker();
});
afterAll(() => lab.close());

const { requestsOf, startsOf, polled, givenUp, endJobs } = jobLedger(() => lab.sim);

test('a job is started once, polled, its result fetched, and its start counted', async () => {
  const map = await lab.start(reportSpec('brief', 3));
  expect(await map.result()).toMatchObject({
    rows: { done: 3 },
    counts: { columns: { report: { executed: 3, reused: 0, cost: 1.5, held: 0 } } },
  });
  expect((await map.table())[0]?.report).toMatchObject({ domain: 'r0.example' });
  expect(startsOf('brief')).toHaveLength(3);
  expect(requestsOf('brief').filter(({ path }) => path.endsWith('/result'))).toHaveLength(3);
});

test('a job that the provider fails is bought all the same, and a redrive starts another one', async () => {
  const map = await lab.start(reportSpec('failing'));
  expect(await map.result()).toMatchObject({
    rows: { failed: 1 },
    counts: { columns: { report: { executed: 1, failed: 1, cost: 0.5 } } },
  });
  expect(await map.failures()).toMatchObject([
    { code: 'ASYNC_OPERATION_FAILED', message: 'the job job-1 failed: the provider says failed', job: { polls: 1 } },
  ]);
  await (await lab.start({ redrive: { map: map.mapId } }, 'failing-again')).result();
  expect(new Set(startsOf('failing').map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
});

test('polls that throw are asked again: no attempt is used, and no other job started', async () => {
  expect(await (await lab.start(reportSpec('shy'))).result()).toMatchObject({ rows: { done: 1 } });
  expect(startsOf('shy')).toHaveLength(1);
  expect(requestsOf('shy').map(({ verdict }) => verdict)).toEqual(['answered', 'fault', 'fault', 'job', 'job']);
});

test('a start that the provider is at work on is waited for, and asked again under its key', async () => {
  expect(await (await lab.start(reportSpec('busy'))).result()).toMatchObject({
    rows: { done: 1 },
    counts: { columns: { report: { executed: 1, held: 0 } } },
  });
  expect(startsOf('busy').map(({ status }) => status)).toEqual([409, 202]);
  expect(new Set(startsOf('busy').map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test('a start without a key whose answer is lost is unknown, and never sent again', async () => {
  expect(await (await lab.start(reportSpec('keyless'))).result()).toMatchObject({ rows: { unknown: 1 } });
  expect(startsOf('keyless')).toHaveLength(1);
});

test('a poll comes no earlier than the start and the poll before it allow', async () => {
  const map = await lab.start(reportSpec('patient'));
  await lab.sim.waitFor((entries) => entries.filter(({ path }) => path === '/patient/v1/jobs/job-1').length === 2);
  endJobs('patient');
  expect(await map.result()).toMatchObject({ rows: { done: 1 } });
  const [start, first, second] = requestsOf('patient').map(({ arrivedAtMs }) => arrivedAtMs);
  expect(first! - start!).toBeGreaterThanOrEqual(3000);
  expect(second! - first!).toBeGreaterThanOrEqual(3000);
});

test('a job beyond its deadline ends its row, and a redrive finds the same job again', async () => {
  const map = await lab.start(reportSpec('late'));
  expect(await map.result()).toMatchObject({ rows: { failed: 1 } });
  expect(await map.failures()).toMatchObject([
    { code: 'ASYNC_OPERATION_TIMEOUT', repairable: true, job: { id: 'job-1' } },
  ]);
  endJobs('late');
  const again = await (await lab.start({ redrive: { map: map.mapId } }, 'late-again')).result();
  expect(again).toMatchObject({ rows: { done: 1 }, counts: { columns: { report: { executed: 0, reused: 1 } } } });
  expect(startsOf('late')).toHaveLength(1);
});

test('cancelling the map gives the job up at its provider', async () => {
  const map = await lab.start(reportSpec('stopped'));
  await polled('stopped');
  await map.signal('cancel');
  expect(await map.result()).toMatchObject({
    rows: { cancelled: 1 },
    counts: { columns: { report: { executed: 1, cost: 0.5 } } },
  });
  await givenUp('stopped');
});

describe('a worker dies', () => {
  /** It ends by itself at the named point, and a second one brings the map to its end. */
  async function crashed(crashAt: string, check: (sim: MapLab) => void): Promise<void> {
    const own = await openMapLab({
      sim: { providers: { coded: { price: 0.5, jobs: { durationMs: 6000 } } } },
      providers: { coded: {} },
      environment: { SLUICE_HEARTBEAT_TIMEOUT: '3s', SLUICE_LEASE_TTL: '3s' },
      workerProgram: join(__dirname, 'fixtures', 'research-worker.ts'),
    });
    try {
      const environment = { SIMULATOR: own.sim.url };
      const doomed = await own.workerProcess({ ...environment, SLUICE_CRASH_AT: crashAt });
      const map = await own.start(reportSpec('coded'));
      await doomed.gone;
      await own.workerProcess(environment);
      expect(await map.result()).toMatchObject({
        rows: { done: 1 },
        counts: { columns: { report: { executed: 1, cost: 0.5 } } },
      });
      expect(own.sim.summary()).toMatchObject({ charges: 1, duplicateCharges: 0 });
      check(own);
    } finally {
      await own.close();
    }
  }
  const starts = (own: MapLab) => jobLedger(() => own.sim).startsOf('coded');

  test.concurrent('with the answer of the start: it is sent again under its key, which gives the same job', () =>
    crashed('call.after_answer:1', (own) => {
      expect(starts(own).map(({ verdict }) => verdict)).toEqual(['answered', 'replayed']);
    }));

  test.concurrent('with the answer of a poll: the job is polled again, and not started', () =>
    crashed('call.after_answer:2', (own) => expect(starts(own)).toHaveLength(1)));
});
