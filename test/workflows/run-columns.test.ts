// The row program of a spec: order, conditions and waterfalls, over calls that are played.
import { CancelledFailure } from '@temporalio/common';
import type { CallFailureCode } from '../../contracts/failures';
import { FIRST_CURSOR, type Json, type Receipt } from '../../contracts/outcomes';
import type { ColumnPlan, RowPlan, ToolPlan } from '../../contracts/plan';
import type { CallEnd } from '../../workflows/call-tool';
import type { RowState } from '../../workflows/row-outcome';
import { runColumns } from '../../workflows/run-columns';

const rest = { cursor: FIRST_CURSOR, holds: 0 };
const receipt = {} as Receipt;
const found = (value: Json): CallEnd => ({ kind: 'completed', value, receipt, ...rest });
const missed: CallEnd = { kind: 'missed', receipt, ...rest };
const cancelled: CallEnd = { kind: 'cancelled', ...rest };
const refused = (code: CallFailureCode): CallEnd => ({
  kind: 'rejected',
  code,
  message: `refused: ${code}`,
  repairable: false,
  charged: 0,
  ...rest,
});
const unknown: CallEnd = {
  kind: 'unknown',
  code: 'AMBIGUOUS_OUTCOME',
  message: 'reset',
  billing: { billingRequestId: 'b1', idempotencyKey: null, sentAtMs: 1, invocationAttempt: 1 },
  ...rest,
};

const toolNamed = (name: string): ToolPlan => ({
  tool: name,
  version: '1',
  provider: 'p',
  account: 'default',
  taskQueue: 'q',
  effect: 'read',
  price: 0,
  idempotent: false,
  timeoutMs: 1000,
});
const leg = (tool: string, input: Json = {}) => ({ tool, account: 'default', input });

/** Runs the columns over `row`; each tool answers as told. `asked` has every call in order. */
async function play(
  columns: ColumnPlan[],
  answers: { [tool: string]: CallEnd },
  cancelAfter = Number.POSITIVE_INFINITY,
) {
  const names = columns.flatMap(({ legs = [] }) => legs.map(({ tool }) => tool));
  const tools = Object.fromEntries(names.map((name) => [`${name}@default`, toolNamed(name)]));
  const plan = { mapId: 'm1', runId: 'run-1', tools } as RowPlan;
  const state: RowState = { identity: 'k:1', ordinal: 0, cells: {}, skipped: [], ledger: [] };
  const asked: [column: string, tool: string, input: Json][] = [];
  const steps = {
    async call(column: string, { tool }: ToolPlan, input: Json) {
      asked.push([column, tool, input]);
      return answers[tool] as CallEnd;
    },
    isCancelled: () => asked.length >= cancelAfter,
  };
  const error = await runColumns(columns, plan, { domain: 'a.example' }, state, steps).catch((thrown) => thrown);
  return { asked, error, cells: state.cells, skipped: state.skipped };
}

test('each column sees the cells before it, and where the value came from', async () => {
  const { cells, asked } = await play(
    [
      { name: 'firm', legs: [leg('acme', { domain: '{{ row.domain }}' })] },
      { name: 'size', value: "{{ cells.firm.employees > 100 ? 'big' : 'small' }}" },
      { name: 'from', value: '{{ run.map }}/{{ run.id }}' },
    ],
    { acme: found({ employees: 101 }) },
  );
  expect(asked).toEqual([['firm', 'acme', { domain: 'a.example' }]]);
  expect(cells).toEqual({ firm: { employees: 101 }, size: 'big', from: 'm1/run-1' });
});

test('a column whose condition is false is skipped and calls nothing', async () => {
  const columns = [{ name: 'email', runIf: '{{ $exists(cells.firm) }}', legs: [leg('acme')] }];
  expect(await play(columns, {})).toMatchObject({ asked: [], skipped: ['email'], cells: {} });
});

describe('a waterfall', () => {
  const columns: ColumnPlan[] = [
    { name: 'email', legs: [leg('a'), leg('b'), leg('c')] },
    { name: 'after', value: 'reached' },
  ];
  const askedOf = async (answers: { [tool: string]: CallEnd }) => {
    const { asked, cells, error } = await play(columns, answers);
    return { asked: asked.map(([, tool]) => tool).join(''), cells, code: error?.code ?? null };
  };

  test('ends with the first answer', async () => {
    expect(await askedOf({ a: missed, b: found('x@a'), c: found('y') })).toEqual({
      asked: 'ab',
      cells: { email: 'x@a', after: 'reached' },
      code: null,
    });
  });

  test('goes on after a miss and after a failure', async () => {
    const { asked, code } = await askedOf({ a: missed, b: refused('FORBIDDEN'), c: found('y') });
    expect({ asked, code }).toEqual({ asked: 'abc', code: null });
  });

  test('has no cell when nobody knows anything, and the row goes on', async () => {
    const end = await askedOf({ a: missed, b: missed, c: missed });
    expect(end).toEqual({ asked: 'abc', cells: { after: 'reached' }, code: null });
  });

  test('fails when nobody knew anything and one could not be asked', async () => {
    const end = await askedOf({ a: refused('FORBIDDEN'), b: missed, c: missed });
    expect(end).toEqual({ asked: 'abc', cells: {}, code: 'FORBIDDEN' });
  });

  test('buys nothing elsewhere when an answer may have been bought already', async () => {
    expect(await askedOf({ a: missed, b: unknown, c: found('y') })).toEqual({
      asked: 'ab',
      cells: {},
      code: 'AMBIGUOUS_OUTCOME',
    });
  });

  test('ends with a cancel', async () => {
    const { asked, error } = await play(columns, { a: cancelled, b: found('x'), c: found('y') });
    expect(asked).toHaveLength(1);
    expect(error).toBeInstanceOf(CancelledFailure);
  });
});

test('a cancel between two columns keeps what was finished and starts nothing', async () => {
  const columns = ['a', 'b'].map((tool): ColumnPlan => ({ name: tool, legs: [leg(tool)] }));
  const { asked, cells, error } = await play(columns, { a: found(1), b: found(2) }, 1);
  expect(asked).toHaveLength(1);
  expect(cells).toEqual({ a: 1 });
  expect(error).toBeInstanceOf(CancelledFailure);
});

test('an expression that throws names itself', async () => {
  const { error } = await play([{ name: 'x', value: '{{ $error("no") }}' }], {});
  expect(error).toMatchObject({ name: 'ExpressionError', message: expect.stringContaining('$error("no"): no') });
});
