// One look at a running map as text: a screen for a terminal, one line for a log.
import { clock, counted, duration } from './format';
import { closedText, stopParts, useParts } from './gates/render-gate';
import type { Snapshot } from './observe-map';
import { pendingLine } from './pending-failures';
import type { ProviderActivity } from './provider-activity';
import { budgetLine, capLine } from './render-budget';
import { columnTable, errorLines, errorWords, statusCounts } from './render-counts';

/** The screen: rows, rate, providers, columns, warnings. */
export function snapshotLines(snapshot: Snapshot): string[] {
  const { mapId, state, takenAtMs, startedAtMs } = snapshot;
  return [
    `map ${mapId}  ${state}  started ${duration(takenAtMs - startedAtMs)} ago`,
    `rows  ${rowParts(snapshot).join(' · ')}`,
    ...budgetLines(snapshot),
    ...rateLines(snapshot),
    ...providerLines(snapshot),
    ...columnTable(snapshot.counts.columns),
    ...(snapshot.counts.errors ? ['rows that did not finish', ...errorLines(snapshot.counts)] : []),
    ...snapshot.pending.map((failure) => `failing  ${pendingLine(failure)}`),
    ...snapshot.warnings.map((warning) => `warning  ${warning}`),
  ];
}

/** The same in one line: clock, state, rows, rate, and each provider that rows wait for. */
export function snapshotLine(snapshot: Snapshot): string {
  const { state, rows, rate, providers } = lineParts(snapshot);
  const head = `${clock(snapshot.takenAtMs, snapshot.takenAtMs)} ${state}${reasonOf(snapshot)}`;
  const failing = snapshot.pending.map(pendingLine);
  return [head, ...rows, ...rate, ...providers, ...failing, ...errorWords(snapshot.counts)].join(' · ');
}

/** What must differ for a new line to be worth printing: all but the clock and the rate. */
export function changeKey(snapshot: Snapshot): string {
  const stops = snapshot.providers.flatMap((provider) => [provider.provider, ...stopsOf(provider, snapshot.takenAtMs)]);
  const failing = snapshot.pending.map(({ activity }) => activity);
  return [snapshot.state + reasonOf(snapshot), ...rowParts(snapshot), ...stops, ...failing].join(' · ');
}

/** A map that a person paused needs no reason. */
const reasonOf = ({ pausedBy }: Snapshot): string =>
  pausedBy && pausedBy !== 'person' ? ` (${pausedBy} is reached)` : '';

/** Only of a map that has a cap. */
function budgetLines({ mapId, budget, pausedBy }: Snapshot): string[] {
  if (!budget || Object.values(budget.caps).every((cap) => cap === null)) return [];
  const reached = capLine(mapId, { budget, ...(pausedBy ? { pausedBy } : {}) });
  return [`caps  ${budgetLine(budget)}`, ...(reached === null ? [] : [`      ${reached}`])];
}

function lineParts(snapshot: Snapshot) {
  const providers = snapshot.providers.flatMap((provider) => {
    const parts = providerParts(provider, snapshot.takenAtMs);
    return isTelling(provider, snapshot.takenAtMs) ? [`${provider.provider} ${parts.join(', ')}`] : [];
  });
  return { state: snapshot.state, rows: rowParts(snapshot), rate: rateParts(snapshot), providers };
}

const isTelling = (provider: ProviderActivity, nowMs: number): boolean =>
  provider.held > 0 || provider.queued > 0 || stopsOf(provider, nowMs).length > 0;

function rowParts({ rows, open, parked, notStarted, total }: Snapshot): string[] {
  if (total === null) return ['not counted yet'];
  return [...statusCounts(rows), `open ${open}`, `parked ${parked}`, `not started ${notStarted}`, `of ${total}`];
}

function rateParts({ rowsPerSecond, restMs }: Snapshot): string[] {
  if (rowsPerSecond === null) return [];
  return [`${rowsPerSecond.toFixed(1)} rows/s`, ...(restMs === null ? [] : [`about ${duration(restMs)} left`])];
}

function rateLines(snapshot: Snapshot): string[] {
  const parts = rateParts(snapshot);
  const note = snapshot.exact ? [] : ['as of the last reports of the pages'];
  return parts.length + note.length === 0 ? [] : [`rate  ${[...parts, ...note].join(' · ')}`];
}

function providerLines({ providers, asked, takenAtMs }: Snapshot): string[] {
  const width = Math.max(0, ...providers.map((provider) => provider.provider.length));
  const lines = providers.map(
    (provider) => `  ${provider.provider.padEnd(width)}  ${providerParts(provider, takenAtMs).join(' · ')}`,
  );
  const partly =
    asked.answered < asked.waiting ? `, as far as ${asked.answered} of ${asked.waiting} waiting rows told` : '';
  return lines.length === 0 ? [] : [`providers${partly}`, ...lines];
}

/** What one provider does, the most telling part first. */
function providerParts(provider: ProviderActivity, nowMs: number): string[] {
  const { held, heldAlone, queued, queuedSinceMs, paused, waiting } = provider;
  const stops = stopsOf(provider, nowMs);
  const parts = stops.length > 0 ? stops : stateParts(provider, nowMs);
  if (stops.length > 0 && waiting > heldAlone) parts.push(counted(waiting - heldAlone, 'row', 'waits', 'wait'));
  if (stops.length === 0 && held > heldAlone) parts.push(counted(held - heldAlone, 'row', 'holds', 'hold'));
  if (heldAlone > 0) parts.push(aloneText(provider, nowMs));
  if (stops.length === 0 && queuedSinceMs !== null) {
    parts.push(`${queued} queued, longest ${duration(nowMs - queuedSinceMs)}`);
  }
  if (paused > 0) parts.push(`${paused} paused`);
  return parts;
}

/** Why nothing is sent: no worker, a person, a closing. Empty when calls go out. */
function stopsOf({ provider, served, gate, closedUntilMs, reason }: ProviderActivity, nowMs: number): string[] {
  const stops = served === false ? ['NO WORKER serves it (./temporal-dev.sh worker)'] : [];
  if (gate?.kind === 'status') stops.push(...stopParts(provider, gate.status, nowMs));
  const isTold = stops.some((stop) => stop.startsWith('closed'));
  if (closedUntilMs !== null && !isTold) stops.push(closedText(closedUntilMs, nowMs, reason ?? 'unknown reason'));
  return stops;
}

function stateParts({ gate, held }: ProviderActivity, nowMs: number): string[] {
  if (gate?.kind === 'status') return ['open', ...useParts(gate.status, nowMs)];
  if (gate?.kind === 'none') return ['no call yet'];
  if (gate?.kind === 'silent') return ['its gate gives no answer'];
  return held === 0 ? ['nothing held'] : [];
}

function aloneText({ heldAlone, aloneReasons, firstAloneAtMs }: ProviderActivity, nowMs: number): string {
  const why = aloneReasons.length === 0 ? '' : ` (${aloneReasons.join(', ')})`;
  const first = firstAloneAtMs === null ? '' : `, first until ${clock(firstAloneAtMs, nowMs)}`;
  return `${counted(heldAlone, 'row', 'holds', 'hold')} alone${why}${first}`;
}
