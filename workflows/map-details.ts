// What the Temporal UI shows of a map under "Current Details": a few lines of Markdown, from the same figures as the query `progress`.
import { sumRowCounts } from '../contracts/counting';
import type { Counters, MapProgress } from '../contracts/results';
import { ROW_STATUSES } from '../contracts/results';

function rowsLine({ rows, carried, open, parked, notStarted, cardinality }: MapProgress): string {
  const ended = ROW_STATUSES.filter((status) => rows[status] > 0).map((status) => `${status} ${rows[status]}`);
  const going = [`open ${open}`, `parked ${parked}`, `not started ${notStarted}`];
  const before = carried ? [`taken over ${sumRowCounts(carried)}`] : [];
  return [...before, ...ended, ...going, `of ${cardinality?.uniqueInputRows ?? '?'}`].join(' · ');
}

const columnLine = (name: string, { executed, held, missed, failed, unknown, cost }: Counters): string =>
  `| ${name} | ${executed} | ${held} | ${missed} | ${failed} | ${unknown} | ${cost} |`;

/** As of the last reports of the pages, like `progress` itself. */
export function mapDetails(progress: MapProgress): string {
  const columns = Object.entries(progress.counts.columns);
  const table =
    columns.length === 0
      ? []
      : [
          '',
          '| column | executed | held | missed | failed | unknown | cost |',
          '|---|---|---|---|---|---|---|',
          ...columns.map(([name, counters]) => columnLine(name, counters)),
        ];
  const output = progress.output ? ['', ...progress.output.table.map((path) => `table \`${path}\``)] : [];
  const warnings = progress.warnings.length === 0 ? [] : ['', ...progress.warnings.map((warning) => `- ${warning}`)];
  const paused = progress.pausedBy && progress.pausedBy !== 'person' ? ` (${progress.pausedBy} is reached)` : '';
  const errors = Object.entries(progress.counts.errors ?? {}).map(
    ([code, { rows, message }]) => `- \`${code}\` ${rows} rows: ${message}`,
  );
  const why = errors.length === 0 ? [] : ['', 'Rows that did not finish:', ...errors];
  const head = `**${progress.state}**${paused} · ${rowsLine(progress)}`;
  return [head, ...table, ...why, ...output, ...warnings].join('\n');
}
