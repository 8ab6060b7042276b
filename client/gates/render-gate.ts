// A gate as text: the few words that a map's screen has room for, and the whole of it for the verb `gate status`.
import type { EndpointStatus, GateLimits, GateStatus, GateWindow, GateWorker } from '../../contracts/gate';
import { SHOWN_ERROR_CHARACTERS } from '../../contracts/limits';
import { clock, counted, duration, table, windowLength } from '../format';
import { exceeds, gateFacts } from './gate-facts';
import { parseGateName } from './gate-name';
import type { GateAnswer, NamedGate } from './read-gates';

/** Why nothing is sent, the most telling word first; empty when the gate is open. */
export function stopParts(gate: string, status: GateStatus, nowMs: number): string[] {
  const { paused, closedUntilMs } = gateFacts(status, nowMs);
  const parts = status.needsPerson ? [personText(gate, status.needsPerson.message)] : [];
  if (paused) parts.push(`PAUSED by a person (sluice gate resume ${gate})`);
  if (closedUntilMs !== null) parts.push(closedText(closedUntilMs, nowMs, whyClosed(status)));
  if (isShut(status.inForce)) parts.push(`NOTHING IS ALLOWED by its limits (sluice gate set ${gate})`);
  return parts;
}

/** `4 of 10 in use, 2 workers`, or that nobody has a lease. */
export function useParts(status: GateStatus, nowMs: number): string[] {
  const { inFlight, concurrency, live, silent } = gateFacts(status, nowMs);
  const use = concurrency === null ? `${inFlight} in use` : `${inFlight} of ${concurrency} in use`;
  return [
    ...(live.length > 0 ? [`${use} by ${counted(live.length, 'worker')}`] : []),
    ...(silent.length > 0 ? [`${counted(silent.length, 'worker')} SILENT for ${silence(silent, nowMs)}`] : []),
  ];
}

/** One line a gate: name, state, use, limits in force. */
export function gateTable(gates: readonly NamedGate[], nowMs: number): string[] {
  if (gates.length === 0) return ['no gates yet: the first call to an account starts its gate'];
  const cells = gates.map(({ gate, answer }) => [gate, ...cellsOf(gate, answer, nowMs)]);
  return table([['gate', 'state', 'in use', 'limits'], ...cells], { indent: '', left: true });
}

function cellsOf(gate: string, answer: GateAnswer, nowMs: number): string[] {
  if (answer.kind === 'none') return ['no call yet', '', ''];
  if (answer.kind === 'silent') return ['no worker answers for it', '', ''];
  const { status } = answer;
  const endpoints = closedEndpoints(status, nowMs).map(({ endpoint }) => `${endpoint} closed`);
  const state = [stopParts(gate, status, nowMs).join(' · ') || 'open', ...endpoints].join(' · ');
  return [state, useParts(status, nowMs).join(' · ') || 'idle', limitsText(status.inForce)];
}

export function gateLines(gate: string, status: GateStatus, nowMs: number): string[] {
  const { declared, inForce, throttlesInARow, firstThrottleAtMs, counts, workers } = status;
  const facts = gateFacts(status, nowMs);
  return [
    `gate ${gate}  ${stopParts(gate, status, nowMs).join(' · ') || 'open'}`,
    `limits    ${limitsText(inForce)}${otherThanDeclared(status)}`,
    ...learnedLines(status, nowMs),
    ...(declared === null ? ['          no worker has declared any yet'] : []),
    `in use    ${useParts(status, nowMs).join(' · ') || 'nothing: no worker holds a lease'}`,
    ...usedLines(gate, counts),
    ...(throttlesInARow > 0 && firstThrottleAtMs !== null
      ? [`throttles ${throttlesInARow} in a row, no success since ${clock(firstThrottleAtMs, nowMs)}`]
      : []),
    ...(status.endpoints ?? []).map((endpoint) => endpointLine(endpoint, nowMs)),
    ...workerLines(workers, facts.live, nowMs),
  ];
}

const closedEndpoints = ({ endpoints = [] }: GateStatus, nowMs: number): EndpointStatus[] =>
  endpoints.filter(({ closedUntilMs }) => closedUntilMs !== null && closedUntilMs > nowMs);

/** One tool that is refused while the account goes on. */
function endpointLine(status: EndpointStatus, nowMs: number): string {
  const { endpoint, closedUntilMs, throttlesInARow, firstThrottleAtMs } = status;
  const isClosed = closedUntilMs !== null && closedUntilMs > nowMs;
  const state = isClosed ? closedText(closedUntilMs, nowMs, whyClosed(status)) : 'open to one call at first';
  const since = firstThrottleAtMs === null ? '' : `, no success since ${clock(firstThrottleAtMs, nowMs)}`;
  return `endpoint  ${endpoint} ${state}, throttled ${throttlesInARow} in a row${since}`;
}

/** What went through: requests, or of a gate of another unit what the calls have used. */
function usedLines(gate: string, { sent, succeeded, throttled }: GateStatus['counts']): string[] {
  const { unit } = parseGateName(gate);
  if (unit !== undefined)
    return [`used      ${sent} ${unit} by ${succeeded} answered calls since the gate was started`];
  return [`calls     ${sent} sent, ${succeeded} succeeded, ${throttled} throttled since the gate was started`];
}

/** Why other limits are in force than the provider file has. */
function otherThanDeclared({ declared, inForce, adjusted }: GateStatus): string {
  if (declared === null || limitsText(declared) === limitsText(inForce)) return '';
  const isSet = adjusted.rate !== undefined || adjusted.concurrency !== undefined;
  const above = exceeds(inForce, declared) ? ', which is more than the provider file allows' : '';
  return `  (${isSet ? `set by a person${above}` : 'learned'}; the provider file has ${limitsText(declared)})`;
}

/** What refusals have taught, and the lines that pin it. */
function learnedLines({ learned }: GateStatus, nowMs: number): string[] {
  if (!learned) return [];
  const head = `learned   from ${counted(learned.answers, 'answer')} since ${clock(learned.sinceMs, nowMs)}; to keep it, in the provider file:`;
  return [
    head,
    ...learned.pin
      .trimEnd()
      .split('\n')
      .map((line) => `          ${line}`),
  ];
}

function workerLines(workers: readonly GateWorker[], live: readonly GateWorker[], nowMs: number): string[] {
  if (workers.length === 0) return [];
  const cells = workers.map((worker) => [
    worker.worker,
    limitsText(worker.share),
    String(worker.inFlight),
    worker.unitsLeft === null ? '-' : String(worker.unitsLeft),
    live.includes(worker)
      ? `for ${duration(worker.leaseEndsAtMs - nowMs)}`
      : `ended ${duration(nowMs - worker.leaseEndsAtMs)} ago: SILENT`,
  ]);
  return table([['worker', 'share', 'in flight', 'units left', 'lease'], ...cells], { indent: '  ', left: true });
}

/** `20 in 1s, 5000 in 24h, 10 at once`. */
export function limitsText({ rate, concurrency }: GateLimits): string {
  const parts = [...rate.map(windowText), ...(concurrency === null ? [] : [`${concurrency} at once`])];
  return parts.length === 0 ? 'none' : parts.join(', ');
}

const windowText = ({ limit, perMs }: GateWindow): string => `${limit} in ${windowLength(perMs)}`;

const personText = (gate: string, message: string): string =>
  `NEEDS A PERSON: ${message.slice(0, SHOWN_ERROR_CHARACTERS)} (then: sluice gate resume ${gate})`;

export const closedText = (untilMs: number, nowMs: number, why: string): string =>
  `closed until ${clock(untilMs, nowMs)} (${why})`;

/** `429 throttled, Retry-After: 30`: the provider's status, where it gave one, how it was read, and where the instant comes from. */
function whyClosed({ status, reason, said }: Pick<GateStatus, 'status' | 'reason' | 'said'>): string {
  const head = [...(status === null ? [] : [String(status)]), reason ?? 'for an unknown reason'].join(' ');
  return said ? `${head}, ${said}` : head;
}

const isShut = ({ rate, concurrency }: GateLimits): boolean =>
  concurrency === 0 || rate.some(({ limit }) => limit === 0);

const silence = (workers: readonly GateWorker[], nowMs: number): string =>
  duration(nowMs - Math.min(...workers.map((worker) => worker.leaseEndsAtMs)));
