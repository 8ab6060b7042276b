// One look at a running map as text: a screen for a terminal, one line for a log.
import { clock, duration } from './format';
import type { Snapshot } from './observe-map';
import type { ProviderActivity } from './provider-activity';
import { columnTable, statusCounts } from './render-counts';

/** The screen: rows, rate, providers, columns, warnings. */
export function snapshotLines(snapshot: Snapshot): string[] {
  const { mapId, state, takenAtMs, startedAtMs } = snapshot;
  return [
    `map ${mapId}  ${state}  started ${duration(takenAtMs - startedAtMs)} ago`,
    `rows  ${rowParts(snapshot).join(' · ')}`,
    ...rateLines(snapshot),
    ...providerLines(snapshot),
    ...columnTable(snapshot.counts.columns),
    ...snapshot.warnings.map((warning) => `warning  ${warning}`),
  ];
}

/** The same in one line: clock, state, rows, rate, and each provider that holds rows or has no worker. */
export function snapshotLine(snapshot: Snapshot): string {
  const { state, rows, rate, providers } = lineParts(snapshot);
  return [`${clock(snapshot.takenAtMs, snapshot.takenAtMs)} ${state}`, ...rows, ...rate, ...providers].join(' · ');
}

/** What must differ for a new line to be worth printing: all but the clock and the rate. */
export function changeKey(snapshot: Snapshot): string {
  const closings = snapshot.providers.map(
    ({ provider, closedUntilMs, served }) => `${provider} ${closedUntilMs} ${served}`,
  );
  return [snapshot.state, ...rowParts(snapshot), ...closings].join(' · ');
}

function lineParts(snapshot: Snapshot) {
  const providers = snapshot.providers.flatMap((provider) => {
    const parts = providerParts(provider, snapshot.takenAtMs);
    return parts[0] === NOTHING_HELD ? [] : [`${provider.provider} ${parts.join(', ')}`];
  });
  return { state: snapshot.state, rows: rowParts(snapshot), rate: rateParts(snapshot), providers };
}

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

/** A closed provider may look like this for a while: calls that are not sent yet queue, and only the worker knows why. */
const NOTHING_HELD = 'nothing held';

/** What one provider does, the most telling part first. */
function providerParts(provider: ProviderActivity, nowMs: number): string[] {
  const { closedUntilMs, reason, held, heldAlone, firstAloneAtMs, queued, queuedSinceMs, paused, served } = provider;
  const parts: string[] = [];
  if (served === false) parts.push('NO WORKER serves it (./temporal-dev.sh worker)');
  if (closedUntilMs !== null) parts.push(`closed until ${clock(closedUntilMs, nowMs)} (${reason ?? 'unknown reason'})`);
  if (parts.length === 0 && held === 0) parts.push(NOTHING_HELD);
  if (held > heldAlone) parts.push(holding(held - heldAlone));
  if (heldAlone > 0) {
    const first = firstAloneAtMs === null ? '' : `, first until ${clock(firstAloneAtMs, nowMs)}`;
    parts.push(`${holding(heldAlone)} alone${first}`);
  }
  if (queuedSinceMs !== null) parts.push(`${queued} queued, longest ${duration(nowMs - queuedSinceMs)}`);
  if (paused > 0) parts.push(`${paused} paused`);
  return parts;
}

const holding = (rows: number): string => (rows === 1 ? '1 row holds' : `${rows} rows hold`);
