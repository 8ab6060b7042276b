// What a worker's identity tells: host, process and the providers that it serves.
import { parseWorkerIdentity, unservedProviders } from '../../client/worker-identity';

test('an identity names host, process and providers', () => {
  expect(parseWorkerIdentity('sluice/box/4711/acme.default,beacon.second')).toEqual({
    host: 'box',
    pid: 4711,
    providers: ['acme.default', 'beacon.second'],
  });
  expect(parseWorkerIdentity('sluice/box/4711/')?.providers).toEqual([]);
});

test.each(['12345@box', 'sluice/box/x/acme.default', ''])('%j is not the identity of a Sluice worker', (identity) => {
  expect(parseWorkerIdentity(identity)).toBeNull();
});

describe('unservedProviders', () => {
  const wanted = ['acme.default', 'beacon.default'];

  test('are those that no worker names', () => {
    expect(unservedProviders(['sluice/a/1/acme.default', 'sluice/b/2/other.default'], wanted)).toEqual([
      'beacon.default',
    ]);
  });

  test('are all of them without a worker', () => {
    expect(unservedProviders([], wanted)).toEqual(wanted);
  });

  test('are not known when a foreign worker polls too', () => {
    expect(unservedProviders(['sluice/a/1/acme.default', '12345@box'], wanted)).toBeNull();
  });
});
