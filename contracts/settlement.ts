// How a person settles a call whose outcome nobody knows: what is asked, and what it came to. Its billing request is what is settled.
import type { Billing, CallIdentity, Json, Resolved } from './outcomes';
import type { SharedEnd } from './shared-call';

/** `done`: the provider answered with this value. `retry`: it charged nothing, buy it anew. `failed`: there is no answer, and none is bought. */
export const SETTLED_AS = ['done', 'retry', 'failed'] as const;
export type SettledAs = (typeof SETTLED_AS)[number];

/** What the settled call asked, and under which receipt: enough to give its answer to whoever asks the same. */
export type CallToSettle = CallIdentity & { billing: Billing };

/** Input of the settledCall workflow. `value`: exactly with `done`. */
export interface SettlementInput {
  /** Where the person found it; a shared call is settled for all who ask the same. */
  mapId: string;
  column: string;
  call: CallToSettle;
  as: SettledAs;
  value?: Json;
  /** `<user>@<host>`, as the command line knows them. */
  by: string;
  reason?: string;
}

/** Input of the `settleCall` activity: `atMs` on the workflow's clock, so that a repeated try says the same. */
export interface SettleCallInput extends SettlementInput {
  atMs: number;
}

/** Result of the settledCall workflow. `end`: what the call came to; none with `retry`. */
export interface Settlement extends Resolved {
  as: SettledAs;
  mapId: string;
  row: string;
  column: string;
  end?: SharedEnd;
}

/** Failure type of a settledCall workflow whose value is not what the tool promises. It may be settled again. */
export const SETTLEMENT_REFUSED = 'SETTLEMENT_REFUSED';
