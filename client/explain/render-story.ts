// The story of a row as text: its end, and for each call the receipt, why it was bought, and what happened when.
import type { JobFacts } from '../../contracts/job';
import { SHOWN_CALLS } from '../../contracts/limits';
import type { Billing } from '../../contracts/outcomes';
import { clock, counted, duration, money } from '../format';
import { type CallStory, type RowStory, rowNames, type StoryStep, saidBy } from './row-story';

const SHOWN_CHARACTERS = 300;

const cut = (text: string): string => (text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);

/** `billing id 3f…, idempotency key 3f…, sent 12:00:03, provider request req-1`. */
export function billingText(billing: Billing, nowMs: number): string {
  const { billingRequestId, idempotencyKey, sentAtMs, providerRequestId } = billing;
  const key = idempotencyKey === null ? 'no idempotency key' : `idempotency key ${idempotencyKey}`;
  const known = providerRequestId === undefined ? '' : `, provider request ${providerRequestId}`;
  return `billing id ${billingRequestId}, ${key}, sent ${clock(sentAtMs, nowMs)}${known}`;
}

/** `as retry by jo@host at …`, and what follows from it. */
export function settlementText(settlement: NonNullable<CallStory['settlement']>): string {
  if (settlement === 'pending') return 'not yet: no worker has checked what was said';
  const then = {
    done: 'a redrive takes the answer over',
    retry: 'a redrive buys it anew',
    failed: 'nobody buys it',
  };
  return `as ${settlement.as} by ${saidBy(settlement)}; ${then[settlement.as]}`;
}

/** `job-1, started 12:00:03, 4 polls, the last one 12:00:43`. */
function jobText({ id, startedAtMs, polls, polledAtMs }: JobFacts, nowMs: number): string {
  const last = polledAtMs === undefined ? '' : `, the last one ${clock(polledAtMs, nowMs)}`;
  return `${id}, started ${clock(startedAtMs, nowMs)}, ${counted(polls, 'poll')}${last}`;
}

function stepText(
  { what, queuedMs, reason, scope, untilMs, status, detail, billing }: StoryStep,
  nowMs: number,
): string {
  const parts = [
    `${what.replace('_', ' ')}${reason ? ` ${reason}` : ''}`,
    ...(scope ? [`of the ${scope}`] : []),
    ...(untilMs === undefined ? [] : [`until ${clock(untilMs, nowMs)}`]),
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(detail ? [cut(detail)] : []),
    ...(billing ? [`request ${billing.invocationAttempt} ${billing.billingRequestId}`] : []),
    `after ${duration(queuedMs)}`,
  ];
  return parts.join(' · ');
}

function callLines(call: CallStory, nowMs: number): string[] {
  const { column, tool, account, toolVersion, input, receipt, shared, steps, omittedSteps, error, openBilling } = call;
  const lines = steps.map((step) => `    ${clock(step.atMs, nowMs)}  ${stepText(step, nowMs)}`);
  if (omittedSteps > 0) lines.splice(steps.length / 2, 0, `    … ${counted(omittedSteps, 'step')} left out`);
  return [
    `${column}  ${tool}${account === 'default' ? '' : ` (${account})`}  ${call.state}`,
    `  why      ${call.why}`,
    ...(input === '' ? [] : [`  input    ${cut(input)}`]),
    ...(shared
      ? [
          `  shared   ${shared.callId}${shared.runId === null ? ', whose history is gone' : ` run ${shared.runId}`}`,
          ...(shared.firstAskedBy === null
            ? []
            : [`  asked    first by a row of ${shared.firstAskedBy}, by this one ${clock(shared.askedAtMs, nowMs)}`]),
        ]
      : []),
    ...(receipt
      ? [
          `  receipt  ${receipt.receiptKey}, ${duration(nowMs - receipt.answeredAtMs)} old, tool version ${toolVersion}`,
          `  price    ${receipt.price === 0 ? 'nothing' : money(receipt.price)}`,
          `  request  ${billingText(receipt.billing, nowMs)}`,
        ]
      : []),
    ...(call.job ? [`  job      ${jobText(call.job, nowMs)}`] : []),
    ...(openBilling ? [`  request  ${billingText(openBilling, nowMs)}`] : []),
    ...(call.settlement ? [`  settled  ${settlementText(call.settlement)}`] : []),
    ...(error ? [`  error    ${error.code}: ${cut(error.message)}`] : []),
    `  tries    ${counted(call.attempts, 'request')}, billing number ${call.billingNumber}`,
    ...lines,
  ];
}

/** The whole story; calls beyond the first 50 are only counted. */
export function storyLines(story: RowStory, nowMs: number): string[] {
  const { mapId, identity, status, startedAtMs, endedAtMs, skipped, error, calls } = story;
  const [name, ...place] = rowNames(story);
  const end = endedAtMs === null ? '' : `, ended ${clock(endedAtMs, nowMs)}`;
  return [
    `row ${[`${name} of ${mapId}`, ...place, identity].join(', ')}: ${status}, started ${clock(startedAtMs, nowMs)}${end}`,
    ...(error ? [`error ${error.code}: ${cut(error.message)}`] : []),
    ...skipped.map((column) => `${column}  skipped: its runIf said no`),
    ...calls.slice(0, SHOWN_CALLS).flatMap((call) => callLines(call, nowMs)),
    ...(calls.length > SHOWN_CALLS
      ? [`and ${counted(calls.length - SHOWN_CALLS, 'call')} more: --column, --json`]
      : []),
  ];
}
