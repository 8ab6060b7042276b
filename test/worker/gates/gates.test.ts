import type { GateSettings } from '../../../worker/gates/gate-types';
import { createGates } from '../../../worker/gates/gates';
import { ManualClock } from './manual-clock';

const account = (provider: string, name: string): GateSettings => ({
  provider,
  account: name,
  rate: [],
  concurrency: 1,
  giveUpAfterMs: 86_400_000,
});

test('each account has its own gate, and one that is not served is an error that lists the others', () => {
  const gates = createGates([account('acme', 'default'), account('acme', 'second')]);
  expect(gates.gate('acme', 'second')).toBe(gates.gate('acme', 'second'));
  expect(gates.gate('acme', 'default')).not.toBe(gates.gate('acme', 'second'));
  expect(gates.all()).toHaveLength(2);
  expect(() => gates.gate('acme', 'third')).toThrow(
    'gate acme/third: not served by this worker, expected one of: acme/default, acme/second',
  );
  expect(() => createGates([account('acme', 'default'), account('acme', 'default')])).toThrow('declared twice');
});

test('a closing of the provider closes the gates of all its accounts and of nobody else', () => {
  const clock = new ManualClock();
  const accounts = [account('acme', 'default'), account('acme', 'second'), account('other', 'default')];
  const gates = createGates(accounts, clock, () => 0);
  const closed = () => gates.all().map((gate) => gate.closedUntilMs() !== null);
  gates.gate('acme', 'default').close({ retryAtMs: clock.wallMs() + 5_000, reason: 'throttled' });
  expect(closed()).toEqual([true, false, false]);
  gates
    .gate('acme', 'default')
    .close({ retryAtMs: clock.wallMs() + 9_000, reason: 'unavailable', status: 503, scope: 'provider' });
  expect(closed()).toEqual([true, true, false]);
  expect(gates.gate('acme', 'second').consecutiveThrottles()).toBe(0);
});
