// The end of a map as text and as exit code.
import type { MapEnd } from '../../client/map-end';
import { endLines, exitCodeOfMapEnd } from '../../client/render-end';
import { mapProgress, mapResult, rowCounts } from './fixtures/figures';

const ended = (some: Parameters<typeof mapResult>[0]): MapEnd => ({
  kind: 'result',
  mapId: 'companies-june',
  result: mapResult(some),
});

const refused: MapEnd = {
  kind: 'failed',
  mapId: 'companies-june',
  code: 'INVALID_SPEC',
  message: 'the spec has 1 problem',
  problems: [{ path: 'columns[0].tool', message: 'unknown tool acme.nope' }],
};

test('a result tells counts, costs and where table, failures and summary lie', () => {
  expect(endLines(ended({ rows: rowCounts({ done: 1, failed: 1, unknown: 1 }), warnings: ['careful'] }))).toEqual([
    'map companies-june completed',
    'rows  done 1 · missed 0 · failed 1 · unknown 1 · of 3',
    '  column  executed  reused  attached  held  missed  failed  unknown  skipped  cost',
    '  firm           3       0         0     0       0       0        0        0  0.06',
    'cost  0.06 in total',
    'table     /data/companies.csv',
    'failures  /data/companies.failures.jsonl (2 rows that did not finish)',
    'summary   /data/companies.summary.json',
    'warning   careful',
  ]);
});

test('a refusal lists its problems and where to read on', () => {
  expect(endLines(refused)).toEqual([
    'map companies-june failed',
    'INVALID_SPEC: the spec has 1 problem (docs/errors.md#invalid_spec)',
    '  columns[0].tool: unknown tool acme.nope',
  ]);
});

test('a natively cancelled map shows its last figures and where its table lies', () => {
  const progress = mapProgress({ rows: rowCounts({ cancelled: 100 }), output: mapResult().output });
  expect(endLines({ kind: 'cancelled', mapId: 'm', progress })).toContain('table     /data/companies.csv');
  expect(endLines({ kind: 'cancelled', mapId: 'm', progress: null })[1]).toMatch(/no worker/);
});

test.each<[string, MapEnd, number]>([
  ['all rows done', ended({}), 0],
  ['rows missed and skipped', ended({ rows: rowCounts({ missed: 2, skipped: 1 }) }), 0],
  ['a failed row', ended({ rows: rowCounts({ done: 2, failed: 1 }) }), 3],
  ['a row that was not run', ended({ rows: rowCounts({ done: 2, not_run: 1 }) }), 3],
  ['an unknown row', ended({ rows: rowCounts({ done: 2, unknown: 1 }) }), 3],
  ['a map that a row failed', ended({ status: 'failed' }), 3],
  ['a cancelled map', ended({ status: 'cancelled', rows: rowCounts({ failed: 1, cancelled: 2 }) }), 4],
  ['a natively cancelled map', { kind: 'cancelled', mapId: 'm', progress: null }, 4],
  ['a refused map', refused, 2],
  ['a terminated map', { kind: 'stopped', mapId: 'm', status: 'TERMINATED' }, 1],
])('%s ends with its exit code', (_, end, exitCode) => {
  expect(exitCodeOfMapEnd(end)).toBe(exitCode);
});

test('rows that did not finish are told by code with a message, and the counts agree with the failures file', () => {
  const counts = {
    ...mapResult().counts,
    errors: {
      AUTH_INVALID: { rows: 1, message: 'the provider answered 401: key revoked' },
      NEEDS_PERSON: { rows: 38, message: 'acme.default: 401: key revoked' },
    },
  };
  const lines = endLines(ended({ counts, rows: rowCounts({ failed: 1, not_run: 38 }) }));
  expect(lines).toEqual(
    expect.arrayContaining([
      'cost  0.06 in total',
      'rows that did not finish',
      '  NEEDS_PERSON  38 rows  acme.default: 401: key revoked',
      '  AUTH_INVALID  1 row  the provider answered 401: key revoked',
      'failures  /data/companies.failures.jsonl (39 rows that did not finish)',
    ]),
  );
});
