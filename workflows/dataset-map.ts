// The map: admits the dataset, drives its pages, and ends with a complete table whatever happens.
import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { FinishResult } from '../contracts/activity-io';
import { noCountTable, noRowCounts } from '../contracts/counting';
import { MAP_ID_PATTERN } from '../contracts/ids';
import { HEARTBEAT_TIMEOUT_MS } from '../contracts/limits';
import type { Caps } from '../contracts/map-limits';
import type { Admission } from '../contracts/plan';
import type { MapProgress, MapResult, MapState, RowCounts } from '../contracts/results';
import { mapActivities } from './activity-proxies';
import { asWorkflowFailure } from './activity-refusal';
import { checkedCaps } from './checked-caps';
import { checkedConcurrency } from './checked-concurrency';
import { pagesOfFirst, rangeOf, unitsOf } from './child-units';
import { definedMapNames } from './define-map';
import { mapDetails } from './map-details';
import './maps';
import {
  cancelSignal,
  mapProgressQuery,
  pageReportSignal,
  pauseSignal,
  resumeSignal,
  setCapsSignal,
  setConcurrencySignal,
} from './messages';
import { PageDriver } from './page-driver';

function checkMapId(mapId: string): void {
  if (MAP_ID_PATTERN.test(mapId)) return;
  const message = `the workflow id ${JSON.stringify(mapId)} is no map id: expected 1 to 100 of A-Z a-z 0-9 . _ - starting with a letter or digit`;
  throw ApplicationFailure.nonRetryable(message, 'INVALID_MAP_ID');
}

/**
 * Runs a tool over every row of a dataset. `spec`: a map spec (contracts/schemas/map-spec.schema.json), validated at
 * admission; the workflow id is the map's id. Ends Completed with a {@link MapResult}; Canceled after a native cancel;
 * Failed with INVALID_SPEC, DATASET_UNREADABLE, OUTPUT_EXISTS … when it is refused, or ROW_FAILED under `onRowError: fail`.
 */
export async function datasetMap(spec: unknown): Promise<MapResult> {
  // The run that was started first: a reset gives the workflow another run id, and the map stays the same one.
  const { workflowId: mapId, originalExecutionRunId: runId, startTime } = workflowInfo();
  const startedAtMs = startTime.getTime();
  const root = CancellationScope.current();
  const pagesScope = new CancellationScope();
  const warnings: string[] = [];
  let admission: Admission | null = null;
  let driver: PageDriver | null = null;
  let state: MapState = 'admitting';
  let finished: FinishResult | null = null;
  let rowFailed = false;
  let isCancelled = false;
  let isPaused = false;
  let concurrency = {};
  let caps: Partial<Caps> = {};

  setHandler(cancelSignal, () => {
    isCancelled = true;
    pagesScope.cancel();
  });
  setHandler(pauseSignal, () => {
    isPaused = true;
    driver?.pause(true);
  });
  setHandler(resumeSignal, () => {
    isPaused = false;
    driver?.pause(false);
  });
  setHandler(pageReportSignal, (report) => driver?.report(report));
  setHandler(setConcurrencySignal, (wanted) => {
    const checked = checkedConcurrency(wanted);
    warnings.push(...checked.problems);
    concurrency = { ...concurrency, ...checked.concurrency };
    if (driver) driver.setLimits({ ...driver.limits, ...checked.concurrency });
  });
  const uncapped = 'setCaps was ignored: a TypeScript map decides on its calls when it runs';
  setHandler(setCapsSignal, (wanted) => {
    const checked = checkedCaps(wanted);
    warnings.push(...checked.problems);
    caps = { ...caps, ...checked.caps };
    if (driver && !driver.setCaps(checked.caps)) warnings.push(uncapped);
  });
  const pausedByNow = () => (isPaused ? 'person' : driver?.stoppedBy);
  const stateNow = (): MapState => {
    if (state !== 'running') return state;
    if (isCancelled || root.consideredCancelled || rowFailed) return 'cancelling';
    return pausedByNow() ? 'paused' : 'running';
  };
  const progressNow = (): MapProgress => {
    // At the end the table tells: rows of pages that never opened have their status only there.
    const ended = finished ? { rows: finished.rows, counts: finished.counts } : null;
    const nothing = { open: 0, parked: 0, notStarted: 0, rows: noRowCounts(), counts: noCountTable() };
    const pausedBy = stateNow() === 'paused' ? pausedByNow() : null;
    const budget = driver?.mapBudget();
    const totals = ended ? { ...nothing, ...ended } : (driver?.totals() ?? nothing);
    return {
      mapId,
      runId,
      name: admission?.plan.name ?? null,
      state: stateNow(),
      asOfMs: Date.now(),
      startedAtMs,
      cardinality: finished?.cardinality ?? admission?.cardinality ?? null,
      concurrency: driver?.limits ?? null,
      ...totals,
      settled: ended ?? driver?.settled ?? { rows: noRowCounts(), counts: noCountTable() },
      openPages: driver?.openUnits() ?? [],
      ...(admission?.carried && !finished ? { carried: admission.carried } : {}),
      providers: providersOf(admission),
      output: finished?.output ?? null,
      warnings: [...(admission?.warnings ?? []), ...warnings],
      ...(budget ? { budget } : {}),
      ...(pausedBy ? { pausedBy } : {}),
    };
  };
  const showDetails = () => setCurrentDetails(mapDetails(progressNow()));
  setHandler(mapProgressQuery, progressNow);

  checkMapId(mapId);
  const { admitMap } = mapActivities(HEARTBEAT_TIMEOUT_MS);
  try {
    // Not cancellable: whoever cancels while the dataset is read gets the complete table, every row `not_run`.
    admission = await CancellationScope.nonCancellable(() => admitMap({ mapId, runId, spec, maps: definedMapNames() }));
    const units = unitsOf({ ...rangeOf(admission), firstPage: 0 });
    const onReport = ({ rows }: { rows: RowCounts }) => {
      showDetails();
      if (admission?.onRowError !== 'fail' || rows.failed + rows.unknown === 0) return;
      rowFailed = true;
      pagesScope.cancel();
    };
    const limits = { ...admission.concurrency, ...concurrency };
    driver = new PageDriver(units, admission.plan, limits, onReport, admission.budget);
    if (isPaused) driver.pause(true);
    if (Object.keys(caps).length > 0 && !driver.setCaps(caps)) warnings.push(uncapped);
    state = 'running';
    showDetails();
    const pages = driver;
    await pagesScope.run(() => pages.run());
    const wasCancelled = isCancelled || root.consideredCancelled;
    state = 'finishing';
    showDetails();
    const status = wasCancelled ? 'cancelled' : rowFailed ? 'failed' : 'completed';
    const error = rowFailed
      ? { code: 'ROW_FAILED' as const, message: 'a row failed and the spec says onRowError: fail' }
      : undefined;
    const { openedUnits, withoutResult, givenUp } = driver;
    const openedPages = pagesOfFirst(units, openedUnits);
    if (givenUp) {
      warnings.push(
        `no further row was started since ${givenUp.code}: ${givenUp.message}; redrive the map when that is mended`,
      );
    }
    const { finishMap } = mapActivities(admission.plan.timing.heartbeatTimeoutMs);
    const request = {
      mapId,
      runId,
      status,
      openedPages,
      withoutResult,
      startedAtMs,
      endedAtMs: Date.now(),
      warnings,
      ...(error ? { error } : {}),
    } as const;
    finished = await CancellationScope.nonCancellable(() => finishMap(request));
    state = status;
    showDetails();
    const result: MapResult = { mapId, runId, status, ...finished, ...(error ? { error } : {}) };
    // A cancel that came while the table was being written has changed nothing in it: such a map ends as its table says.
    if (wasCancelled && root.consideredCancelled)
      throw new CancelledFailure('the map was cancelled; its table is complete');
    if (error)
      throw ApplicationFailure.create({
        type: error.code,
        message: error.message,
        nonRetryable: true,
        details: [result],
      });
    return result;
  } catch (error) {
    if (state === 'admitting' || (state === 'finishing' && !finished)) state = 'failed';
    throw asWorkflowFailure(error);
  }
}

function providersOf(admission: Admission | null): string[] {
  const names = Object.values(admission?.plan.tools ?? {}).map(({ provider, account }) => `${provider}.${account}`);
  return [...new Set(names)].sort();
}
