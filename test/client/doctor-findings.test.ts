// What doctor makes of the facts: levels, and a fix for all that is not well.
import type { DoctorFacts, OpenMap } from '../../client/doctor-facts';
import { doctorFindings } from '../../client/doctor-findings';
import { gateStatus, gateWorker, NOW_MS } from './fixtures/figures';

const DAY_MS = 86_400_000;

const seen = (identity: string, agoMs = 1000) => ({ identity, lastAccessMs: NOW_MS - agoMs });
const openMap = (providers: string[] | null, some: Partial<OpenMap> = {}): OpenMap => ({
  mapId: 'm',
  providers,
  failing: [],
  ...some,
});

const facts = (some: Partial<DoctorFacts> = {}): DoctorFacts => ({
  address: '127.0.0.1:7233',
  namespace: 'default',
  taskQueue: 'sluice',
  serverVersion: '1.29.1',
  retentionMs: 30 * DAY_MS,
  takenAtMs: NOW_MS,
  fairness: { kind: 'fair' },
  workers: [seen('sluice/box/1/acme.default')],
  gates: [],
  openMaps: [],
  moreMaps: false,
  ...some,
});

const levels = (some: Partial<DoctorFacts>) =>
  doctorFindings(facts(some)).map((finding) => `${finding.level} ${finding.about}`);

test('with everything in place all is well', () => {
  expect(levels({})).toEqual(['ok server', 'ok namespace', 'ok fair share', 'ok worker']);
});

test('a short retention is a warning with its figure and the command that changes it', () => {
  const finding = doctorFindings(facts({ retentionMs: DAY_MS })).find((one) => one.about === 'namespace');
  expect(finding?.level).toBe('warning');
  expect(finding?.message).toContain('1d 00h');
  expect(finding?.fix).toContain('temporal operator namespace update --namespace default --retention 30d');
});

test.each<[string, Partial<DoctorFacts>, string]>([
  ['no worker', { workers: [] }, 'action worker'],
  ['a worker without providers', { workers: [seen('sluice/box/1/')] }, 'action worker'],
  ['a foreign worker', { workers: [seen('99@box')] }, 'warning worker'],
  ['a map whose provider nobody serves', { openMaps: [openMap(['beacon.default'])] }, 'action map'],
  ['a map that nobody answers for', { openMaps: [openMap(null)] }, 'warning map'],
  ['a map that is served', { openMaps: [openMap(['acme.default'])] }, 'ok map'],
  ['a server that gives calls out in their order', { fairness: { kind: 'unfair' } }, 'warning fair share'],
  ['a server that does not let itself be asked', { fairness: { kind: 'unknown', reason: 'no' } }, 'note fair share'],
  ['more maps than were looked at', { moreMaps: true }, 'note map'],
])('%s', (_, some, level) => expect(levels(some)).toContain(level));

const failing = {
  workflowId: 'm',
  others: 0,
  activity: 'finishMap',
  attempt: 4,
  message: 'no space left',
  nextAtMs: null,
};
const killed = gateWorker({ worker: 'box/1/ab', leaseEndsAtMs: NOW_MS - 7000 });
const closedGate = (some: Parameters<typeof gateStatus>[0]) => ({
  gate: 'acme.default',
  answer: { kind: 'status' as const, status: gateStatus(some) },
});

test('a worker whose lease ran out is told at once, long before the server forgets it', () => {
  const { message, level } = doctorFindings(facts({ gates: [closedGate({ workers: [killed] })] })).at(-1)!;
  expect([level, message]).toEqual([
    'action',
    'account acme.default was leased to worker box/1/ab, which is silent since 7s: it was killed, hangs or is cut off',
  ]);
});

test('maps and gates that nobody answers for, and no poll since, mean that the worker is gone', () => {
  const gone = facts({
    workers: [seen('sluice/box/1/acme.default', 48_000)],
    openMaps: [openMap(null)],
    gates: [{ gate: 'acme.default', answer: { kind: 'silent' } }],
  });
  expect(doctorFindings(gone).map(({ message }) => message)).toContain(
    'no worker answers for map m, gate acme.default, and the last one was seen 48s ago: it was killed, hangs or is cut off from the server',
  );
  expect(levels({ ...gone, workers: [seen('sluice/box/1/acme.default')] })).not.toContain('action worker');
});

test('an account that needs a person says why and how to go on', () => {
  const needsPerson = { message: '401: key revoked', sinceMs: NOW_MS - 1000 };
  const { message, fix } = doctorFindings(facts({ gates: [closedGate({ needsPerson })] })).at(-1)!;
  expect(message).toMatch(/^account acme\.default needs a person since .*: 401: key revoked$/);
  expect(fix).toBe('mend the key or pay, then: sluice gate resume acme.default');
});

test('what is tried again and again is told with its message', () => {
  const { message } = doctorFindings(facts({ openMaps: [openMap(['acme.default'], { failing: [failing] })] })).at(-1)!;
  expect(message).toBe('finishMap of m failed and is tried again (try 4): no space left');
});

test('whatever is not well has a fix', () => {
  const bad = facts({
    retentionMs: 0,
    workers: [seen('99@box', 9000), seen('sluice/b/1/', 9000)],
    openMaps: [openMap(null, { failing: [failing] })],
    fairness: { kind: 'unfair' },
    gates: [closedGate({ paused: true, workers: [killed], needsPerson: { message: '401', sinceMs: NOW_MS } })],
  });
  for (const finding of [...doctorFindings(bad), ...doctorFindings(facts({ workers: [] }))]) {
    if (finding.level === 'action' || finding.level === 'warning') expect(finding.fix).toBeTruthy();
  }
});

test('an unserved provider is named with its map', () => {
  const [finding] = doctorFindings(
    facts({ openMaps: [openMap(['acme.default', 'beacon.second'], { mapId: 'june' })] }),
  ).filter((one) => one.about === 'map');
  expect(finding?.message).toContain('map june uses beacon.second');
  expect(finding?.fix).toContain('provider "beacon"');
});
