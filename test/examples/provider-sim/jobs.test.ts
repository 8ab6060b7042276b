// Jobs of the simulator: charged at their start, once under a key; then told, fetched and given up by their ids, free.
import { type ProviderSim, startProviderSim } from '../../../examples/provider-sim/start';

let sim: ProviderSim;
beforeAll(async () => {
  sim = await startProviderSim({
    providers: {
      brief: { price: 0.5, jobs: { durationMs: 0 } },
      failing: { jobs: { durationMs: 0, failingInputs: ['a.example'] } },
      endless: { price: 0.5, jobs: { durationMs: 3_600_000, retryAfterSeconds: 7 } },
      broken: { price: 0.5, faults: [{ kind: 'error-before-charge', requests: [1] }] },
    },
  });
});
afterAll(() => sim.close());

async function ask(method: string, path: string, key?: string) {
  const body = method === 'POST' ? { body: JSON.stringify({ domain: 'a.example' }) } : {};
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await fetch(`${sim.url}${path}`, { method, headers, ...body });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as { id?: string } };
}

test('a start is charged once under its key, and names the job by id and Location', async () => {
  const first = await ask('POST', '/brief/v1/jobs', 'k1');
  expect(first).toMatchObject({ status: 202, body: { id: 'job-1', status: 'running' } });
  expect(first.headers.get('location')).toBe('/brief/v1/jobs/job-1');
  expect((await ask('POST', '/brief/v1/jobs', 'k1')).body).toEqual(first.body);
  expect(await ask('GET', '/brief/v1/jobs/job-1')).toMatchObject({ status: 200, body: { status: 'succeeded' } });
  expect(await ask('GET', '/brief/v1/jobs/job-1/result')).toMatchObject({ body: { data: { domain: 'a.example' } } });
  expect(sim.summary().providers.brief).toMatchObject({ charges: 1, cost: 0.5, admitted: 4, verdicts: { job: 2 } });
});

test('a running job asks for patience, has no result, and can be given up once', async () => {
  const { body } = await ask('POST', '/endless/v1/jobs');
  const path = `/endless/v1/jobs/${body.id}`;
  const poll = await ask('GET', path);
  expect(poll).toMatchObject({ status: 200, body: { status: 'running' } });
  expect(poll.headers.get('retry-after')).toBe('7');
  expect(await ask('GET', `${path}/result`)).toMatchObject({ status: 409 });
  expect(await ask('DELETE', path)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  expect(await ask('DELETE', path)).toMatchObject({ status: 409 });
});

test('a job fails for the inputs that are told, and one that was never started is not known', async () => {
  const { body } = await ask('POST', '/failing/v1/jobs');
  expect(await ask('GET', `/failing/v1/jobs/${body.id}`)).toMatchObject({ body: { status: 'failed' } });
  expect(await ask('POST', '/broken/v1/jobs')).toMatchObject({ status: 500 });
  expect(await ask('GET', '/broken/v1/jobs/job-1')).toMatchObject({ status: 404 });
});
