// What the Temporal UI shows of a gate under "Current Details": why nothing is sent, as of the last message. Its leases change too often for that.
import type { GateStatus } from '../contracts/gate';

type Closed = Pick<GateStatus, 'closedUntilMs' | 'reason' | 'status' | 'said' | 'throttlesInARow'>;

/** `closed until 2026-12-01T12:00:30.000Z: throttled 429, Retry-After: 30, 2 in a row`; null when it is open. */
function closedText({ closedUntilMs, reason, status, said, throttlesInARow }: Closed): string | null {
  if (closedUntilMs === null) return null;
  const why = [`${reason}${status === null ? '' : ` ${status}`}`, ...(said ? [said] : [])];
  return `closed until ${new Date(closedUntilMs).toISOString()}: ${why.join(', ')}, ${throttlesInARow} in a row`;
}

export function gateDetails(status: GateStatus): string {
  const { paused, needsPerson, endpoints = [] } = status;
  const closed = closedText(status);
  const lines = [
    ...(needsPerson ? [`needs a person: ${needsPerson.message}`] : []),
    ...(paused ? ['paused by a person'] : []),
    ...(closed === null ? [] : [closed]),
    ...endpoints.flatMap((one) => {
      const text = closedText(one);
      return text === null ? [] : [`\`${one.endpoint}\` ${text}`];
    }),
  ];
  return lines.length === 0 ? 'open' : lines.map((line) => `- ${line}`).join('\n');
}
