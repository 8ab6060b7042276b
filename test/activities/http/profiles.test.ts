// Profiles are data that provider files can add to: plain JSON, legal patterns, and unknown names refused.
import { profileNames, profileOf, withRules } from '../../../activities/http/profiles/registry';
import { readAnswer } from '../../../activities/http/read-answer';

test('an unknown name is refused with the known ones', () => {
  expect(() => profileOf('acme')).toThrow(/unknown throttle profile "acme", expected one of: .*\bgeneric\b/);
  expect(() => profileOf('constructor')).toThrow(RangeError);
});

test.each(profileNames)('%s is plain JSON with patterns that compile', (name) => {
  const profile = profileOf(name);
  expect(profile.name).toBe(name);
  expect(JSON.parse(JSON.stringify(profile))).toEqual(profile);
  const patterns = [...profile.rules.flatMap(({ when }) => when.fields ?? []), ...profile.prose].map(
    ({ like }) => like,
  );
  for (const pattern of patterns) expect(() => new RegExp(pattern ?? '', 'i')).not.toThrow();
});

test.each(profileNames)(
  'under %s a wait that is asked for is kept, a bad key needs a person, and an empty 500 may be repeated',
  (name) => {
    const context = {
      request: { method: 'GET', idempotent: true, keyed: false },
      profile: profileOf(name),
      attempt: 1,
      throttleNumber: 1,
      random: () => 0,
    };
    const read = (status: number, rawHeaders: [string, string][] = []) =>
      readAnswer({ status, rawHeaders, bodyPrefix: '', bodyComplete: true, observedAtMs: 0 }, context);
    expect(read(429, [['Retry-After', '90']])).toMatchObject({ kind: 'hold', retryAtMs: 90_000 });
    expect(read(401)).toMatchObject({ kind: 'terminal', scope: 'account', needsPerson: true });
    expect(read(500)).toMatchObject({ kind: 'transient', code: 'SERVER_ERROR' });
    expect(read(200)).toEqual({ kind: 'success' });
  },
);

test('added rules come before those of the profile', () => {
  const profile = withRules(profileOf('generic'), [{ when: { status: [429] }, means: { class: 'no_match' } }]);
  const context = { request: { method: 'GET', idempotent: true, keyed: false }, attempt: 1, throttleNumber: 1 };
  const answer = { status: 429, rawHeaders: [], bodyPrefix: '', bodyComplete: true, observedAtMs: 0 };
  expect(readAnswer(answer, { ...context, profile, random: () => 0 })).toEqual({ kind: 'success', code: 'NO_MATCH' });
});
