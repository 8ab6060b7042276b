// Admission of a redrive: rows of an earlier map that did not finish, with what was bought for them; the source is not read again.
import type { AdmitInput } from '../contracts/activity-io';
import { noRowCounts } from '../contracts/counting';
import { ANSWER_INLINE_BYTES, PAGE_BYTES } from '../contracts/limits';
import type { Json, StoredValue } from '../contracts/outcomes';
import type { RowPlan } from '../contracts/plan';
import type { EarlierCall } from '../contracts/redrive';
import type { RowCounts, RowOutcome } from '../contracts/results';
import type { MapSpec } from '../contracts/schemas/map-spec';
import { parseRedriveSpec, type RedriveSpec } from '../contracts/schemas/redrive-spec';
import { looksStored, referenceOf } from '../contracts/stored-value';
import { claiming, type RunningMaps } from './claim-outputs';
import type { Clock } from './clock';
import { Pager } from './datasets/pager';
import { callsLeft, callsOf } from './earlier-calls';
import { fitEarlier } from './fit-earlier';
import { createForcedCalls, withoutForced } from './forced-calls';
import { outputFiles } from './output-paths';
import { refusal } from './refusal';
import { asSettled, isSettled, type Settlements, settlementsOf } from './settled-calls';
import { type EndedMap, readEndedMap, settledRows } from './settled-rows';
import type { SettlementPort } from './shared-call-port';
import { checkOutput } from './sinks/check-output';
import type { Manifest, RunStore } from './store/run-store';

export interface RedriveDeps extends RunningMaps {
  store: RunStore;
  dataRoot: string;
  sizes: { pageRows: number };
  clock: Clock;
  settlements: SettlementPort;
}

/** What a redrive takes from the earlier map before any row is looked at. */
export interface RedriveStart {
  request: RedriveSpec;
  earlier: EndedMap;
  /** The earlier spec, with the tables of this map. */
  spec: MapSpec;
  rootRunId: string;
}

function refused(message: string): never {
  throw refusal('REDRIVE_REFUSED', [{ path: 'redrive.map', message }]);
}

/** Reads the argument and finds the earlier map. Refuses with INVALID_SPEC or REDRIVE_REFUSED. */
export async function openRedrive({ mapId, spec: raw }: AdmitInput, { store }: RedriveDeps): Promise<RedriveStart> {
  const reading = parseRedriveSpec(raw);
  if (!reading.ok) throw refusal('INVALID_SPEC', reading.problems);
  const { redrive: request } = reading.value;
  if (request.map === mapId) refused(`${mapId} cannot go on with itself; expected another id for the new map`);
  const earlier = await readEndedMap(store, request.map);
  if (!earlier) {
    if ((await store.readManifest(request.map)) === null)
      refused(
        `map ${request.map} is not in the run store ${store.place}; expected the id of a map that was admitted there`,
      );
    refused(
      `map ${request.map} has no end in the run store: it still runs, or was terminated; end it with: sluice cancel`,
    );
  }
  const { manifest } = earlier;
  const before = manifest.spec as unknown as MapSpec;
  // The new table holds everything that the earlier one did, so it takes its place.
  const spec = { ...before, output: request.output ?? { ...before.output, overwrite: true } };
  return { request, earlier, spec, rootRunId: manifest.redrive?.rootRunId ?? manifest.runId };
}

/** Whether the row is run again: an unknown one only when that was asked for, or once a person has settled its calls. */
function isToRun(outcome: RowOutcome, settlements: Settlements, { unknown }: RedriveSpec): boolean {
  const { status } = outcome;
  if (status === 'unknown') return unknown || isSettled(outcome, settlements);
  return status === 'failed' || status === 'cancelled' || status === 'not_run';
}

/** Writes the rows to run as pages, and the manifest. Refuses with REDRIVE_REFUSED when there are none. */
export async function admitRedrive(
  input: AdmitInput,
  start: RedriveStart,
  plan: RowPlan,
  deps: RedriveDeps,
): Promise<Manifest> {
  const { mapId } = input;
  const { dataRoot } = deps;
  const files = outputFiles(start.spec, { dataRoot, mapId });
  await checkOutput(files, start.spec.output);
  return claiming(files, mapId, deps, () => admitRowsAgain(input, start, plan, deps));
}

async function admitRowsAgain(
  { mapId, runId }: AdmitInput,
  { request, earlier, spec, rootRunId }: RedriveStart,
  plan: RowPlan,
  { store, sizes, clock, settlements: port }: RedriveDeps,
): Promise<Manifest> {
  const pager = new Pager({ pageRows: sizes.pageRows, pageBytes: PAGE_BYTES }, (page, text) =>
    store.writePage(mapId, page, text),
  );
  const carried = noRowCounts();
  const forced = createForcedCalls(plan, spec);
  for await (const { row, outcome, mapId: from } of settledRows(store, earlier.manifest, earlier.end)) {
    const settlements = await settlementsOf(outcome, port);
    if (!isToRun(outcome, settlements, request)) carried[outcome.status] += 1;
    else {
      const { earlier: given = [], ...authored } = row;
      const calls = callsLeft(outcome, given);
      for (const call of callsOf(outcome)) {
        calls.push(asSettled(await withValue(call, outcome, store, { from, to: mapId }), settlements));
      }
      const again =
        calls.length > 0 ? await fitEarlier(authored, calls, (value) => putValue(store, mapId, value)) : authored;
      forced.see([again]);
      await pager.add(JSON.stringify(again));
    }
  }
  await pager.flush();
  if (pager.pageRows.length === 0) refused(nothingLeft(request, carried));
  const { replaces: _, ...manifest } = earlier.manifest;
  return store.createManifest(mapId, {
    ...manifest,
    mapId,
    runId,
    spec: spec as unknown as Json,
    pageRows: pager.pageRows,
    warnings: [...forced.warnings(), ...withoutForced(manifest.warnings)],
    createdAtMs: clock.wallMs(),
    redrive: { map: request.map, unknown: request.unknown, rootRunId, carried },
  });
}

function nothingLeft({ map, unknown }: RedriveSpec, carried: RowCounts): string {
  if (unknown || carried.unknown === 0) return `every row of map ${map} has finished; there is nothing to run again`;
  return `map ${map} has ${carried.unknown} rows with an unknown outcome and no others to run again; settle them one by one (sluice unknown resolve), or run all of them with unknown: true (sluice redrive --unknown), which may charge them twice`;
}

/** A value in the store of a map, as a reference that names it: the row travels on, into other maps too. */
async function putValue(store: RunStore, mapId: string, value: Json): Promise<StoredValue> {
  const { $stored } = await store.putValue(mapId, JSON.stringify(value));
  return { $stored: { ...$stored, store: mapId } };
}

/**
 * Values go with the row as its expressions had them: small ones whole, others as a reference that names its store. What only
 * looks like a reference becomes one, so that nobody takes it for another.
 */
async function withValue(
  call: EarlierCall,
  outcome: RowOutcome,
  store: RunStore,
  { from, to }: { from: string; to: string },
): Promise<EarlierCall> {
  const { value, entry } = call;
  if (value === undefined || !looksStored(value)) return call;
  const reference = referenceOf(outcome, entry.column, value);
  if (!reference) {
    return { entry, value: await putValue(store, to, value as unknown as Json) };
  }
  const place = reference.store ?? from;
  if (reference.bytes <= ANSWER_INLINE_BYTES) {
    const whole = JSON.parse(await store.getValue(place, reference.ref)) as Json;
    if (!looksStored(whole)) return { entry, value: whole };
  }
  return { entry, value: { $stored: { ...reference, store: place } } };
}
