// What a person says of an unknown call is checked against the tool as an answer of its own would be.
import { z } from 'zod';
import { createSettleCall } from '../../activities/settle-call';
import { createLocalRunStore } from '../../activities/store/local-run-store';
import { defineTool } from '../../activities/tools/define-tool';
import { createToolRegistry } from '../../activities/tools/tool-registry';
import { ANSWER_INLINE_BYTES } from '../../contracts/limits';
import type { Json } from '../../contracts/outcomes';
import { SETTLEMENT_REFUSED, type SettleCallInput } from '../../contracts/settlement';
import { SHARED_VALUES } from '../../contracts/stored-value';
import { useTemporaryFolder } from '../helpers/temporary-folder';

const folder = useTemporaryFolder();

const measure = defineTool({
  name: 'measure',
  effect: 'write',
  price: 1,
  version: '1',
  idempotent: false,
  input: z.any(),
  output: z.strictObject({ size: z.number(), text: z.string().optional() }),
  run: async () => ({ size: 1 }),
});

const billing = { billingRequestId: 'b1', idempotencyKey: null, sentAtMs: 5, invocationAttempt: 1 };
const call = {
  ...{ tool: 'local.measure', toolVersion: '1', account: 'default', input: { n: 1 } },
  ...{ admittedByRunId: 'run-1', rowIdentity: 'k:1', occurrence: 0, billing },
};

function settle(change: Partial<SettleCallInput>) {
  const store = createLocalRunStore({ root: folder() });
  const settleCall = createSettleCall({ tools: createToolRegistry({ providers: [], codeTools: [measure] }), store });
  return settleCall({ mapId: 'm', column: 'size', call, as: 'done', by: 'jo@desk', atMs: 9, ...change });
}

test('a value that the tool promises becomes its answer, with a receipt that says who gave it', async () => {
  expect(await settle({ value: { size: 3 }, reason: 'seen' })).toMatchObject({
    as: 'done',
    row: 'k:1',
    by: 'jo@desk',
    end: {
      kind: 'completed',
      value: { size: 3 },
      receipt: { how: 'resolved', price: 1, billing, resolved: { by: 'jo@desk', atMs: 9, reason: 'seen' } },
    },
  });
});

test.each<[string, Json]>([
  ['of another shape', { size: 'large' }],
  ['with more than was promised', { size: 1, more: 2 }],
])('a value %s is refused for good', async (_, value) => {
  await expect(settle({ value })).rejects.toMatchObject({ type: SETTLEMENT_REFUSED, nonRetryable: true });
});

test('a tool that the worker has not is refused, and so is done without a value', async () => {
  const unknownTool = { ...call, tool: 'local.nothing' };
  await expect(settle({ value: { size: 1 }, call: unknownTool })).rejects.toThrow('has no tool local.nothing');
  await expect(settle({})).rejects.toThrow('done without a value');
});

test('a value that is too large for history lies in the store that all maps share', async () => {
  const { end } = await settle({ value: { size: 1, text: 'x'.repeat(ANSWER_INLINE_BYTES) } });
  expect(end).toMatchObject({ value: { $stored: { store: SHARED_VALUES } } });
});
