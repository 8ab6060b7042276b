// `sluice gate …` against real gates on a real server, and a map that shows a closing which another map met.
import { gateWorkflowId } from '../../contracts/ids';
import { GATE_SIGNAL, LEASE_UPDATE, WORKFLOW } from '../../contracts/names';
import { sluice } from './fixtures/captured-shell';
import { type StandIn, startStandIn } from './fixtures/stand-in-worker';

let standIn: StandIn;

beforeAll(async () => {
  standIn = await startStandIn();
  for (const provider of ['acme', 'beacon']) await startGate(provider);
});
afterAll(() => standIn.close());

const run = (...args: string[]) => sluice(args, { env: standIn.env });
const runJson = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
const gate = (provider: string) => standIn.namespace.client.workflow.getHandle(gateWorkflowId(provider, 'default'));

/** A gate with one worker that holds a lease of 20 in 1 s, 10 at once, and has 4 requests under way. */
async function startGate(provider: string): Promise<void> {
  const { workflow } = standIn.namespace.client;
  await workflow.start(WORKFLOW.providerGate, { taskQueue: 'sluice', workflowId: gateWorkflowId(provider, 'default') });
  const request = {
    ...{ worker: 'host#1', request: 1, applied: 0, ttlMs: 60_000, waitMs: 0, inFlight: 4 },
    limits: { rate: [{ limit: 20, perMs: 1000 }], concurrency: 10 },
    counts: { sent: 9, succeeded: 8, throttled: 1 },
  };
  await gate(provider).executeUpdate(LEASE_UPDATE, { args: [request] });
}

test('status shows limits, use, counts and leases', async () => {
  const { stdout, exitCode } = await run('gate', 'status', 'acme.default');
  expect(stdout).toContain(
    'gate acme.default  open\nlimits    20 in 1s, 10 at once\nin use    4 of 10 in use by 1 worker\n',
  );
  expect(stdout).toContain('calls     0 sent, 0 succeeded, 0 throttled since the gate was started');
  expect(stdout).toMatch(/host#1 {2}20 in 1s, 10 at once {2}4 .* for (1m 00|\d+)s/);
  expect(exitCode).toBe(0);
  expect(await runJson('gate', 'status', 'acme')).toMatchObject({ gate: 'acme.default', paused: false });
});

test('pause and resume tell how the gate stands afterwards', async () => {
  expect((await run('gate', 'pause', 'acme/default')).stdout).toMatch(/^gate acme\.default {2}PAUSED by a person/);
  expect(await runJson('gate', 'resume', 'gate/acme/default')).toMatchObject({
    gate: 'acme.default',
    order: 'resume',
    obeyed: true,
    status: { paused: false },
  });
});

test('set changes what is named, says that it is more than the provider file allows, and goes back', async () => {
  const wide = await run('gate', 'set', 'acme.default', '--rate', '30/1s', '--rate', '500/24h');
  expect(wide.stdout).toContain(
    'limits    30 in 1s, 500 in 24h, 10 at once  (set by a person, which is more than the provider file allows; the provider file has 20 in 1s, 10 at once)',
  );
  await run('gate', 'set', 'acme.default', '--concurrency', '4', '--declared', 'rate');
  const { inForce } = await runJson('gate', 'status', 'acme.default');
  expect(inForce).toEqual({ rate: [{ limit: 20, perMs: 1000 }], concurrency: 4 });
  const back = await runJson('gate', 'set', 'acme.default', '--declared', 'all');
  expect(back).toMatchObject({ obeyed: true, status: { inForce: { concurrency: 10 } } });
});

test('list shows each gate with its state', async () => {
  while ((await runJson('gate', 'list')).gates.length < 2) await new Promise(setImmediate);
  const { stdout } = await run('gate', 'list');
  expect(stdout).toMatch(
    /^gate +state +in use +limits\nacme\.default +open +4 of 10 in use by 1 worker +20 in 1s, 10 at once\n/,
  );
});

test('status and list tell which tool is refused while the account goes on', async () => {
  const refused = {
    remainingMs: 3_600_000,
    reason: 'throttled',
    status: 429,
    said: 'Retry-After: 3600',
    endpoint: 'acme.search',
  };
  await gate('acme').signal(GATE_SIGNAL.throttled, refused);
  const { stdout } = await run('gate', 'status', 'acme.default');
  expect(stdout).toMatch(/^gate acme\.default {2}open\n/);
  expect(stdout).toMatch(
    /\nendpoint {2}acme\.search closed until .* \(429 throttled, Retry-After: 3600\), throttled 1 in a row, no success since /,
  );
  expect((await run('gate', 'list')).stdout).toMatch(/acme\.default +open · acme\.search closed +/);
  await gate('acme').signal(GATE_SIGNAL.succeeded, { endpoint: 'acme.company' });
  expect((await runJson('gate', 'status', 'acme.default')).endpoints).toHaveLength(1);
});

test.each(['nope.default', 'no such name'])('gate "%s" is an error with the names there are', async (name) => {
  const { exitCode, stderr } = await run('gate', 'pause', name);
  expect(stderr).toMatch(/^GATE_NOT_FOUND: /);
  expect(exitCode).toBe(6);
});

test('a map shows that its account is closed though none of its own rows was refused', async () => {
  const said = 'body error.retry_after: 3600';
  await gate('acme').signal(GATE_SIGNAL.throttled, { remainingMs: 3_600_000, reason: 'throttled', status: 429, said });
  const { workflow } = standIn.namespace.client;
  await workflow.start('datasetMap', { workflowId: 'june', taskQueue: 'sluice', args: [{ name: 'held' }] });
  let stdout = '';
  while (!stdout.includes('acme.default')) ({ stdout } = await run('status', 'june'));
  expect(stdout).toMatch(/acme\.default {4}closed until .*\(429 throttled, body error\.retry_after: 3600\)/);
});
