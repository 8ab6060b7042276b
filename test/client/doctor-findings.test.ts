// What doctor makes of the facts: levels, and a fix for all that is not well.
import type { DoctorFacts } from '../../client/doctor-facts';
import { doctorFindings } from '../../client/doctor-findings';

const DAY_MS = 86_400_000;

const facts = (some: Partial<DoctorFacts> = {}): DoctorFacts => ({
  address: '127.0.0.1:7233',
  namespace: 'default',
  taskQueue: 'sluice',
  serverVersion: '1.29.1',
  retentionMs: 30 * DAY_MS,
  workers: ['sluice/box/1/acme.default'],
  openMaps: [],
  moreMaps: false,
  ...some,
});

const levels = (some: Partial<DoctorFacts>) =>
  doctorFindings(facts(some)).map((finding) => `${finding.level} ${finding.about}`);

test('with everything in place only what cannot be checked is noted', () => {
  expect(levels({})).toEqual(['ok server', 'ok namespace', 'ok worker', 'note settings']);
});

test('a short retention is a warning with its figure and the command that changes it', () => {
  const finding = doctorFindings(facts({ retentionMs: DAY_MS })).find((one) => one.about === 'namespace');
  expect(finding?.level).toBe('warning');
  expect(finding?.message).toContain('1d 00h');
  expect(finding?.fix).toContain('temporal operator namespace update --namespace default --retention 30d');
});

test.each([
  ['no worker', { workers: [] }, 'action worker'],
  ['a worker without providers', { workers: ['sluice/box/1/'] }, 'action worker'],
  ['a foreign worker', { workers: ['99@box'] }, 'warning worker'],
  ['a map whose provider nobody serves', { openMaps: [{ mapId: 'm', providers: ['beacon.default'] }] }, 'action map'],
  ['a map that nobody answers for', { openMaps: [{ mapId: 'm', providers: null }] }, 'warning map'],
  ['a map that is served', { openMaps: [{ mapId: 'm', providers: ['acme.default'] }] }, 'ok map'],
  ['more maps than were looked at', { moreMaps: true }, 'note map'],
])('%s', (_, some, level) => expect(levels(some)).toContain(level));

test('whatever is not well has a fix', () => {
  const bad = facts({
    retentionMs: 0,
    workers: ['99@box', 'sluice/b/1/'],
    openMaps: [{ mapId: 'm', providers: null }],
  });
  for (const finding of [...doctorFindings(bad), ...doctorFindings(facts({ workers: [] }))]) {
    if (finding.level === 'action' || finding.level === 'warning') expect(finding.fix).toBeTruthy();
  }
});

test('an unserved provider is named with its map', () => {
  const [finding] = doctorFindings(
    facts({ openMaps: [{ mapId: 'june', providers: ['acme.default', 'beacon.second'] }] }),
  ).filter((one) => one.about === 'map');
  expect(finding?.message).toContain('map june uses beacon.second');
  expect(finding?.fix).toContain('provider "beacon"');
});
