// What a call tells about its way once its provider has refused it: for logs and metrics, with nothing that identifies a row, an input or a key.
import { cursorAfterSend } from '../contracts/cursor';
import type { CallFailureCode } from '../contracts/failures';
import type { Cursor, HoldReason } from '../contracts/outcomes';
import type { AttemptEnd } from './attempt';
import type { Dispatch } from './dispatch-state';

/** In the order in which a throttled call meets them; `needs person` ends an account instead. */
export type CallEventName =
  | 'answer received'
  | 'wait completed'
  | 'dispatch started'
  | 'permit wait started'
  | 'permit acquired'
  | 'needs person';

export interface CallEvent {
  event: CallEventName;
  provider: string;
  account: string;
  tool: string;
  /** Number of the request that this call sends next, from 1 over all its dispatches. */
  nextAttempt: number;
  /** How long the step took that the event ends; 0 for one that begins a step. */
  elapsedMs: number;
  /** Status of the answer, where it is one of HTTP. */
  status?: number;
  /** How the answer was read. */
  outcome?: AttemptEnd['kind'] | HoldReason | CallFailureCode;
}

export type TellCallEvent = (event: CallEvent) => void;

type Told = Pick<Dispatch, 'deps' | 'tool' | 'input'>;
type Facts = Omit<CallEvent, 'event' | 'provider' | 'account' | 'tool' | 'nextAttempt'>;

/** Tells of a call that was throttled before; of any other one there is nothing to tell. */
export function tellIfThrottled(call: Told, cursor: Cursor, event: CallEventName, elapsedMs = 0): void {
  if (cursor.throttles > 0) tell(call, cursor, event, { elapsedMs });
}

/** `cursor`: of the request that was answered. */
export function tellAnswer(call: Told, cursor: Cursor, end: AttemptEnd, elapsedMs: number): void {
  const status = 'status' in end && typeof end.status === 'number' ? { status: end.status } : {};
  const next = cursorAfterSend(cursor);
  if (end.kind === 'hold' || cursor.throttles > 0) {
    const outcome = end.kind === 'hold' ? end.reason : end.kind;
    tell(call, next, 'answer received', { elapsedMs, outcome, ...status });
  }
  if (end.kind === 'rejected' && end.needsPerson && end.scope !== 'row') {
    tell(call, next, 'needs person', { elapsedMs, outcome: end.code, ...status });
  }
}

function tell({ deps, tool, input }: Told, cursor: Cursor, event: CallEventName, facts: Facts): void {
  const { provider, name } = tool;
  const nextAttempt = cursor.invocationAttempt + 1;
  deps.tellCallEvent({ event, provider, account: input.account, tool: name, nextAttempt, ...facts });
}
