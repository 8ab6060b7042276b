// The end of a map as text and as exit code.
import { totalCost } from '../contracts/counting';
import { failureLine } from '../contracts/failures';
import { type CountTable, type MapResult, type OutputPaths, ROW_STATUSES, type RowCounts } from '../contracts/results';
import { problemLines } from './command-error';
import { EXIT, exitCodeOf, exitCodeOfEnd } from './exit-codes';
import { counted, money } from './format';
import type { MapEnd } from './map-end';
import { columnTable, errorLines, forcedLines, statusCounts } from './render-counts';

export function endLines(end: MapEnd): string[] {
  switch (end.kind) {
    case 'result':
      return resultLines(end.result);
    case 'cancelled':
      return cancelledLines(end);
    case 'failed':
      return [`map ${end.mapId} failed`, failedLine(end), ...problemLines(end.problems, end.message)];
    case 'stopped':
      return [
        `map ${end.mapId} was stopped from outside (${end.status.toLowerCase().replace('_', ' ')}); its table was not finished`,
        `  parts that were written stay in the run store; look at: temporal workflow show -w ${end.mapId}`,
      ];
  }
}

export function exitCodeOfMapEnd(end: MapEnd): number {
  switch (end.kind) {
    case 'result':
      return exitCodeOfEnd(end.result.status, end.result.rows);
    case 'cancelled':
      return EXIT.cancelled;
    case 'failed':
      return end.code === null ? EXIT.failed : exitCodeOf(end.code);
    case 'stopped':
      return EXIT.failed;
  }
}

/** `CODE: message (where to read on)`; a failure of unknown kind has only its message. */
const failedLine = (end: Extract<MapEnd, { kind: 'failed' }>): string =>
  end.code === null ? end.message : failureLine(end.code, end.message);

function resultLines(result: MapResult): string[] {
  return [
    `map ${result.mapId} ${result.status}`,
    ...(result.error ? [failureLine(result.error.code, result.error.message)] : []),
    ...figureLines(result.rows, result.counts, result.cardinality.uniqueInputRows),
    ...Object.entries(result.from ?? {}).map(([mapId, rows]) => `from ${mapId}  ${shownCounts(rows)}`),
    ...outputLines(result.output, result.rows),
    ...result.warnings.map((warning) => `warning   ${warning}`),
  ];
}

function cancelledLines({ mapId, progress }: Extract<MapEnd, { kind: 'cancelled' }>): string[] {
  const head = `map ${mapId} cancelled`;
  if (!progress) return [head, '  no worker is there to tell its figures; its summary file has them'];
  const figures = figureLines(progress.rows, progress.counts, progress.cardinality?.uniqueInputRows ?? 0);
  return [head, ...figures, ...(progress.output ? outputLines(progress.output, progress.rows) : [])];
}

/** Only the statuses that there are. */
const shownCounts = (rows: RowCounts): string =>
  ROW_STATUSES.filter((status) => rows[status] > 0)
    .map((status) => `${status.replace('_', ' ')} ${rows[status]}`)
    .join(' · ');

const figureLines = (rows: RowCounts, counts: CountTable, total: number): string[] => [
  `rows  ${[...statusCounts(rows), `of ${total}`].join(' · ')}`,
  ...columnTable(counts.columns),
  `cost  ${money(totalCost(counts))} in total`,
  ...forcedLines(counts),
  ...(counts.errors ? ['rows that did not finish', ...errorLines(counts)] : []),
];

function outputLines(output: OutputPaths, rows: RowCounts): string[] {
  const bad = rows.failed + rows.unknown + rows.cancelled + rows.not_run;
  return [
    ...output.table.map((path) => `table     ${path}`),
    `failures  ${output.failures}${bad > 0 ? ` (${counted(bad, 'row')} that did not finish)` : ''}`,
    `summary   ${output.summary}`,
  ];
}
