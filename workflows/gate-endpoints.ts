// Endpoints of an account that were refused while its other tools go on: a closing for each, until it lets somebody in. Pure, instants on the gate's clock.
import type { EndpointStatus, ThrottledSignal, ToldEndpoint } from '../contracts/gate';
import { GATE_ENDPOINTS } from '../contracts/limits';
import {
  afterSuccess,
  afterThrottle,
  closingStatus,
  type GateClosing,
  NEVER_CLOSED,
  toldClosing,
} from './gate-closing';

export interface RefusedEndpoint {
  /** Name of its tool. */
  endpoint: string;
  closing: GateClosing;
}

export function withEndpointThrottle(
  known: readonly RefusedEndpoint[],
  nowMs: number,
  endpoint: string,
  message: ThrottledSignal,
): RefusedEndpoint[] {
  const before = known.find((one) => one.endpoint === endpoint)?.closing ?? NEVER_CLOSED;
  const others = known.filter((one) => one.endpoint !== endpoint).sort((a, b) => b.closing.untilMs - a.closing.untilMs);
  return [{ endpoint, closing: afterThrottle(before, nowMs, message) }, ...others.slice(0, GATE_ENDPOINTS - 1)];
}

/** An endpoint that let somebody in is one like any other. */
export function withEndpointSuccess(
  known: readonly RefusedEndpoint[],
  nowMs: number,
  endpoint: string,
): RefusedEndpoint[] {
  return known.filter((one) => one.endpoint !== endpoint || afterSuccess(one.closing, nowMs).firstThrottleMs !== null);
}

export const toldEndpoints = (known: readonly RefusedEndpoint[], nowMs: number): ToldEndpoint[] =>
  known.map(({ endpoint, closing }) => ({
    endpoint,
    closing: toldClosing(closing, nowMs),
    throttlesInARow: closing.throttlesInARow,
    noProgressMs: closing.firstThrottleMs === null ? null : nowMs - closing.firstThrottleMs,
  }));

/** For people: by name, instants on the server's clock. */
export const endpointStatuses = (
  known: readonly RefusedEndpoint[],
  { seenMs, offsetMs }: { seenMs: number; offsetMs: number },
): EndpointStatus[] =>
  known
    .map(({ endpoint, closing }) => ({ endpoint, ...closingStatus(closing, seenMs, offsetMs) }))
    .sort((a, b) => (a.endpoint < b.endpoint ? -1 : 1));
