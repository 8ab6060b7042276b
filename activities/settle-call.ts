// What a person says of a call whose outcome nobody knew, checked against its tool and made into the end that all who ask the same find.
import { ApplicationFailure } from '@temporalio/activity';
import { ANSWER_INLINE_BYTES } from '../contracts/limits';
import { FIRST_CURSOR, type Json, type Receipt, type Resolved, type StoredValue } from '../contracts/outcomes';
import { SETTLEMENT_REFUSED, type SettleCallInput, type Settlement } from '../contracts/settlement';
import type { SharedEnd } from '../contracts/shared-call';
import { looksStored, SHARED_VALUES } from '../contracts/stored-value';
import { inputDigest, receiptKeyOf } from './call-identity';
import type { RunStore } from './store/run-store';
import type { Tool } from './tools/tool';
import { ResponseInvalid } from './tools/tool-errors';
import type { ToolRegistry } from './tools/tool-registry-types';

export interface SettleDeps {
  tools: Pick<ToolRegistry, 'get' | 'names'>;
  store: Pick<RunStore, 'putValue'>;
}

const refused = (message: string) => ApplicationFailure.nonRetryable(message, SETTLEMENT_REFUSED);

function toolOf({ call }: SettleCallInput, { tools }: SettleDeps): Tool {
  const tool = tools.get(call.tool);
  if (tool) return tool;
  throw refused(`this worker has no tool ${call.tool}; it has ${tools.names().join(', ')}`);
}

/** The value as the tool would have answered it; a tool of a provider file promises nothing but JSON. */
function checkedValue(tool: Tool, value: Json): Json {
  if (tool.kind === 'http') return value;
  try {
    return tool.checkValue(value);
  } catch (error) {
    if (error instanceof ResponseInvalid) throw refused(error.message);
    throw error;
  }
}

/** Where every map may read it: a value that is too large for history, or that would be taken for a reference. */
async function stored(value: Json, { store }: SettleDeps): Promise<Json | StoredValue> {
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) <= ANSWER_INLINE_BYTES && !looksStored(value)) return value;
  const { $stored } = await store.putValue(SHARED_VALUES, json);
  return { $stored: { ...$stored, store: SHARED_VALUES } };
}

async function doneEnd(input: SettleCallInput, resolved: Resolved, deps: SettleDeps): Promise<SharedEnd> {
  const { call, value, atMs } = input;
  if (value === undefined) throw refused('done without a value; expected the value that the provider answered');
  const tool = toolOf(input, deps);
  const receipt: Receipt = {
    receiptKey: receiptKeyOf(call),
    tool: call.tool,
    toolVersion: call.toolVersion,
    provider: tool.provider,
    account: call.account,
    inputDigest: inputDigest(call.input),
    billing: call.billing,
    status: null,
    price: tool.price,
    answeredAtMs: atMs,
    how: 'resolved',
    resolved,
  };
  return {
    kind: 'completed',
    value: await stored(checkedValue(tool, value), deps),
    receipt,
    cursor: FIRST_CURSOR,
    holds: 0,
  };
}

function failedEnd({ call, by }: SettleCallInput, resolved: Resolved): SharedEnd {
  const why = resolved.reason === undefined ? '' : `: ${resolved.reason}`;
  return {
    kind: 'rejected',
    code: 'RESOLVED_AS_FAILED',
    message: `${by} settled the unknown call as failed${why}`,
    cursor: FIRST_CURSOR,
    repairable: false,
    billing: call.billing,
    charged: 0,
    resolved: { ...resolved, inputDigest: inputDigest(call.input) },
    holds: 0,
  };
}

/** The `settleCall` activity. Safe to repeat. */
export function createSettleCall(deps: SettleDeps): (input: SettleCallInput) => Promise<Settlement> {
  return async (input) => {
    const { as, by, atMs, reason, mapId, column, call } = input;
    const resolved: Resolved = { by, atMs, ...(reason === undefined ? {} : { reason }) };
    const settlement: Settlement = { as, mapId, row: call.rowIdentity, column, ...resolved };
    if (as === 'retry') return settlement;
    return { ...settlement, end: as === 'done' ? await doneEnd(input, resolved, deps) : failedEnd(input, resolved) };
  };
}
