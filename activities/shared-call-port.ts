// What `joinCall` needs of the server, as a port: the worker hands in its Temporal client.
import type { Settlement } from '../contracts/settlement';
import type { EndedCall, SharedCallInput, SharedEnd, Waiter } from '../contracts/shared-call';

/**
 * How the workflow of a shared call stands. `failed`: refused, or ended by hand, at this cursor; `sentAtMs`: its last dispatch was
 * under way when it was ended, so that a request may have left since then; `ended`: it had its answer already, which not every row
 * may have heard.
 */
export type CallStanding =
  | { kind: 'none' }
  | { kind: 'running' }
  | { kind: 'ended'; runId: string; end: SharedEnd }
  | ({ kind: 'failed'; sentAtMs: number | null; ended?: NonNullable<SharedCallInput['ended']> } & EndedCall);

/** What a person said of a billing request, and the run of the workflow that says it. */
export interface Settled {
  runId: string;
  settlement: Settlement;
}

/** What a redrive needs too: null while nobody has settled the billing request. */
export interface SettlementPort {
  settled(billingRequestId: string): Promise<Settled | null>;
}

export interface SharedCallPort extends SettlementPort {
  look(callId: string): Promise<CallStanding>;
  /**
   * Signals `attach` to a call that was seen to be `running`, or starts the one that was not. False when it stands otherwise by now:
   * it is to be looked at anew, since one that has ended meanwhile left what the next try needs to know.
   */
  attach(callId: string, seen: 'none' | 'running' | 'failed', input: SharedCallInput, waiter: Waiter): Promise<boolean>;
}
