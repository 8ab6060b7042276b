// How much of a provider's limit is used, without and with forced closings; time counts from the first request at the provider.
import type { LedgerEntry } from '../../examples/provider-sim/ledger';
import { domainRows, type MapLab } from '../helpers/map-lab';
import { type Measured, onStage, rounded, seconds } from './stage';

const ROWS = 600;
const PER_SECOND = 20;
const CONCURRENCY = 10;
const LATENCY_MS = 100;
const CLOSED_MS = 8000;
/** A closing begins with each of these requests. */
const CLOSE_AT_REQUESTS = [150, 350];

const WINDOWS = [{ limit: PER_SECOND, perMs: 1000 }];

function lab(closings: { atRequest: number; durationMs: number }[]) {
  return {
    sim: {
      providers: {
        acme: { price: 0.01, missRate: 0, windows: WINDOWS, concurrency: CONCURRENCY, latencyMs: LATENCY_MS, closings },
      },
    },
    providers: { acme: { limits: { rate: [{ limit: PER_SECOND, per: '1s' }], concurrency: CONCURRENCY } } },
  };
}

async function runRows(stage: MapLab): Promise<readonly LedgerEntry[]> {
  await stage.workerProcess();
  const map = await stage.start({
    dataset: { rows: domainRows(ROWS), key: 'domain' },
    columns: [{ name: 'firm', tool: 'acme.company', input: { domain: '{{ row.domain }}' } }],
  });
  await map.result();
  return stage.sim.ledger;
}

const spanMs = (ledger: readonly LedgerEntry[]): number =>
  (ledger.at(-1)?.arrivedAtMs ?? 0) - (ledger[0]?.arrivedAtMs ?? 0);

/** 600 rows at 20/s: the last request may leave 30 s after the first at the earliest. */
export function measureOpenLimit(): Promise<Measured> {
  return onStage(lab([]), async (stage) => {
    const ledger = await runRows(stage);
    const idealMs = (ROWS / PER_SECOND) * 1000;
    return {
      name: `${ROWS} rows at ${PER_SECOND}/s, concurrency ${CONCURRENCY}`,
      figures: {
        'ideal s': seconds(idealMs),
        's from first to last request': seconds(spanMs(ledger)),
        'times ideal': rounded(spanMs(ledger) / idealMs, 3),
        '429s': stage.sim.summary().providers.acme?.throttles ?? 0,
        charges: stage.sim.summary().charges,
      },
    };
  });
}

/** How long nothing was admitted around one closing: until the gate's own instant, with jitter and the probe's round trip. */
function pauseAfter(ledger: readonly LedgerEntry[], atRequest: number): number {
  const from = ledger[atRequest - 1]?.arrivedAtMs ?? 0;
  const next = ledger.find((entry) => entry.arrivedAtMs > from + CLOSED_MS / 2);
  return (next?.arrivedAtMs ?? from) - from;
}

export function measureClosings(): Promise<Measured> {
  const closings = CLOSE_AT_REQUESTS.map((atRequest) => ({ atRequest, durationMs: CLOSED_MS }));
  return onStage(lab(closings), async (stage) => {
    const ledger = await runRows(stage);
    const { closings: seen, duplicateCharges } = stage.sim.summary().providers.acme ?? {
      closings: [],
      duplicateCharges: 0,
    };
    const idealMs = (ROWS / PER_SECOND) * 1000;
    const pausesMs = CLOSE_AT_REQUESTS.map((atRequest) => pauseAfter(ledger, atRequest));
    const beyondMs = spanMs(ledger) - idealMs - pausesMs.reduce((sum, ms) => sum + ms, 0);
    return {
      name: `the same with ${CLOSE_AT_REQUESTS.length} closings of ${CLOSED_MS / 1000} s`,
      figures: {
        's from first to last request': seconds(spanMs(ledger)),
        'pauses s (closing, jitter, probe)': pausesMs.map((ms) => seconds(ms)).join(' '),
        's beyond ideal and pauses': seconds(beyondMs),
        '429s for each closing': seen.map(({ refusals }) => refusals).join(' '),
        'duplicate charges': duplicateCharges,
      },
    };
  });
}
