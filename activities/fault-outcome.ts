// What a call ends in when the worker itself fails around a request: what it may have cost is not forgotten over the fault. Pure.
import { mayBeCharged } from '../contracts/cursor';
import type { Billing, CallOutcome, Cursor } from '../contracts/outcomes';
import { isUnrepeatable } from '../contracts/repeatable';
import type { Tool } from './tools/tool';

export interface Fault {
  error: unknown;
  tool: Pick<Tool, 'idempotent' | 'price' | 'effect'>;
  cursor: Cursor;
  /** The request that may have been under way; null = nothing that costs was sent. */
  billing: Billing | null;
}

/** `unknown` for what could be charged twice, a repairable refusal for what may be sent again under its key. Throws on what was never sent. */
export function faultOutcome({ error, tool, cursor, billing }: Fault): CallOutcome {
  if (!billing) throw error;
  const code = 'TOOL_FAILED';
  const message = `the worker failed after the request was sent: ${error instanceof Error ? error.message : String(error)}`;
  const after = mayBeCharged({ ...cursor, invocationAttempt: billing.invocationAttempt });
  if (isUnrepeatable(tool)) return { kind: 'unknown', code, message, cursor: after, billing };
  return { kind: 'rejected', code, message, cursor: after, repairable: true, charged: 0, billing };
}
