import { ConfigError, readConfig } from '../../worker/config';

function problemsOf(environment: { [name: string]: string }): readonly string[] {
  try {
    readConfig(environment, '/srv');
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

test('the run store is a folder under the data root, or a database beside such a folder', () => {
  expect(readConfig({}, '/srv')).toMatchObject({ runStoreRoot: '/srv/.sluice/runs', runStoreUrl: null });
  const folder = readConfig({ SLUICE_DATA_ROOT: 'data', SLUICE_RUN_STORE: 'runs' }, '/srv');
  expect(folder).toMatchObject({ runStoreRoot: '/srv/data/runs', runStoreUrl: null });
  const url = 'postgres://sluice@db.example:5432/sluice?sslmode=require';
  expect(readConfig({ SLUICE_RUN_STORE: url }, '/srv')).toMatchObject({
    runStoreRoot: '/srv/.sluice/runs',
    runStoreUrl: url,
  });
});

test.each([
  ['postgres://sluice:geheim@db.example/sluice', /holds a password.*PGPASSFILE/],
  ['postgres://db.example/sluice?password=geheim', /holds a password.*PGPASSFILE/],
  ['mysql://geheim@db.example/sluice', /starts with mysql:/],
  ['postgres://geheim[', /is no URL/],
])('%s is refused, and the problem does not repeat it', (url, problem) => {
  const problems = problemsOf({ SLUICE_RUN_STORE: url });
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(problems.join()).not.toContain('geheim');
});

test('everything that is wrong is told together', () => {
  const problems = problemsOf({ SLUICE_LEASE_TTL: '1h', SLUICE_LOG_LEVEL: 'LOUD', SLUICE_CRASH_AT: 'lunch' });
  expect(problems).toHaveLength(3);
  expect(new ConfigError(problems).message).toMatch(/^CONFIG_INVALID: .*docs\/errors\.md#config_invalid\)$/s);
});
