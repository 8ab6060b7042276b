// What the shared gate makes of a provider's limits: how much of them is used, refusals for each closing, messages for each 1,000 calls.
import { gateWorkflowId } from '../../contracts/ids';
import type { LedgerEntry } from '../../examples/provider-sim/ledger';
import type { SimOptions } from '../../examples/provider-sim/options';
import { domainRows, type LabProvider, type MapLab } from '../helpers/map-lab';
import { type Measured, onStage, rounded, seconds } from './stage';

/** Calls of one row, so that the machine is busy with calls and not with rows. */
const CALLS_PER_ROW = 10;

interface Run {
  calls: number;
  workers: number;
  limits: NonNullable<LabProvider['limits']>;
  sim: SimOptions['providers'][string];
}

interface Used {
  ledger: readonly LedgerEntry[];
  spanMs: number;
  refusals: number;
  refusalsOfClosings: number[];
  messagesPer1000: number;
}

/** Updates and signals that the gate took, over all its runs. */
async function gateMessages({ client }: MapLab): Promise<number> {
  const workflowId = gateWorkflowId('acme', 'default');
  let messages = 0;
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const isMessage = (event: NonNullable<typeof events>[number]) =>
      Boolean(event.workflowExecutionUpdateAcceptedEventAttributes ?? event.workflowExecutionSignaledEventAttributes);
    messages += (events ?? []).filter(isMessage).length;
  }
  return messages;
}

function measure({ calls, workers, limits, sim }: Run): Promise<Used> {
  const options = {
    sim: { providers: { acme: { missRate: 0, ...sim } } },
    providers: { acme: { price: 0, limits } },
  };
  return onStage(options, async (stage) => {
    await Promise.all(Array.from({ length: workers }, () => stage.workerProcess()));
    const map = await stage.start({
      dataset: { rows: domainRows(Math.ceil(calls / CALLS_PER_ROW)), key: 'domain' },
      columns: Array.from({ length: CALLS_PER_ROW }, (_, n) => ({
        name: `c${n}`,
        tool: 'acme.company',
        input: { domain: '{{ row.domain }}' },
      })),
    });
    await map.result();
    const ledger = stage.sim.ledger.filter(({ admitted }) => admitted);
    const { throttles = 0, closings = [] } = stage.sim.summary().providers.acme ?? {};
    return {
      ledger,
      spanMs: (ledger.at(-1)?.arrivedAtMs ?? 0) - (ledger[0]?.arrivedAtMs ?? 0),
      refusals: throttles,
      refusalsOfClosings: closings.map(({ refusals }) => refusals),
      messagesPer1000: rounded(((await gateMessages(stage)) * 1000) / ledger.length, 0),
    };
  });
}

/** Calls at each rate: about half a minute, and a whole one where several workers first have to divide it. */
const RATES: readonly { perSecond: number; calls: number; workers: number }[] = [
  { perSecond: 1, calls: 30, workers: 1 },
  { perSecond: 5, calls: 150, workers: 1 },
  { perSecond: 20, calls: 600, workers: 1 },
  { perSecond: 200, calls: 4000, workers: 1 },
  { perSecond: 30, calls: 1800, workers: 3 },
];

/** Workers that start together have divided the rate by then, and none has run out of rows so long before the end. */
const DIVIDED_AFTER_MS = 10_000;
const BEFORE_END_MS = 5000;

/** Per cent of the rate that was used between the start and the end of the run, where each worker has a part and work. */
function usedInBetween(ledger: readonly LedgerEntry[], perSecond: number): number {
  const fromMs = (ledger[0]?.arrivedAtMs ?? 0) + DIVIDED_AFTER_MS;
  const toMs = (ledger.at(-1)?.arrivedAtMs ?? 0) - BEFORE_END_MS;
  const calls = ledger.filter(({ arrivedAtMs }) => fromMs <= arrivedAtMs && arrivedAtMs < toMs).length;
  return rounded((100_000 * calls) / (toMs - fromMs) / perSecond, 1);
}

export async function measureRates(): Promise<Measured> {
  const figures: Measured['figures'] = {};
  for (const { perSecond, calls, workers } of RATES) {
    const { ledger, spanMs, refusals, messagesPer1000 } = await measure({
      calls,
      workers,
      limits: { rate: [{ limit: perSecond, per: '1s' }] },
      sim: { latencyMs: 50, windows: [{ limit: perSecond, perMs: 1000 }] },
    });
    const used = ((ledger.length - 1) * 1000) / spanMs / perSecond;
    const divided = workers === 1 ? '' : `${usedInBetween(ledger, perSecond)} % from second 10 on, `;
    figures[`${perSecond}/s, ${workers === 1 ? 'one worker' : `${workers} workers`}`] =
      `${rounded(100 * used, 1)} % used, ${divided}${refusals} 429s, ${messagesPer1000} messages for 1,000 calls`;
  }
  return { name: 'use of a rate', figures };
}

/** A minute as 15 s, a day as a minute: longer than the windows that workers divide, so that their units are counted. */
export async function measureLongWindows(): Promise<Measured> {
  const minute = await measure({
    calls: 180,
    workers: 1,
    limits: { rate: [{ limit: 60, per: '15s' }] },
    sim: { latencyMs: 50, windows: [{ limit: 60, perMs: 15_000 }] },
  });
  const day = await measure({
    calls: 200,
    workers: 1,
    limits: {
      rate: [
        { limit: 10, per: '1s' },
        { limit: 100, per: '1m' },
      ],
    },
    sim: {
      latencyMs: 50,
      windows: [
        { limit: 10, perMs: 1000 },
        { limit: 100, perMs: 60_000 },
      ],
    },
  });
  const figure = ({ spanMs, refusals, messagesPer1000 }: Used, idealMs: number) =>
    `${seconds(spanMs)} s, ideal ${seconds(idealMs)} s, ${refusals} 429s, ${messagesPer1000} messages for 1,000 calls`;
  return {
    name: 'long windows, scaled down, one worker',
    figures: {
      'a minute as 15 s: 180 calls at 60': figure(minute, 30_000),
      'a day as a minute: 200 calls at 100, 10/s': figure(day, 70_000),
    },
  };
}

export async function measureConcurrencyOnly(): Promise<Measured> {
  const latencyMs = 250;
  const figures: Measured['figures'] = {};
  for (const concurrency of [2, 10]) {
    const { ledger, spanMs, refusals, messagesPer1000 } = await measure({
      calls: concurrency * 60,
      workers: 1,
      limits: { concurrency },
      sim: { latencyMs, concurrency },
    });
    const used = ((ledger.length - 1) * latencyMs) / spanMs / concurrency;
    figures[`${concurrency} at the same time`] =
      `${rounded(100 * used, 1)} % used, ${refusals} 429s, ${messagesPer1000} messages for 1,000 calls`;
  }
  return { name: `providers that limit calls at the same time only, ${latencyMs} ms each`, figures };
}

export async function measureRefusals(): Promise<Measured> {
  const figures: Measured['figures'] = {};
  for (const workers of [1, 3]) {
    const { refusalsOfClosings, messagesPer1000 } = await measure({
      calls: 600,
      workers,
      limits: { concurrency: 9 },
      sim: {
        latencyMs: 200,
        closings: [
          { atRequest: 150, durationMs: 8000 },
          { atRequest: 400, durationMs: 8000 },
        ],
      },
    });
    figures[`${workers} workers`] =
      `429s for each closing: ${refusalsOfClosings.join(' ')}, ${messagesPer1000} messages for 1,000 calls`;
  }
  return { name: 'two closings of 8 s, 9 calls at the same time', figures };
}
