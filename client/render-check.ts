// A check as text: the dataset, its first rows and duplicates, calls and cost, warnings. Problems are told apart, on stderr.
import type { CallEstimate, CheckedDataset, CheckReport, SourcePlace } from '../contracts/check-report';
import { counted, money, table } from './format';

const SHOWN_ROW_CHARACTERS = 200;

export function checkLines(file: string, { dataset, calls, problems, warnings }: CheckReport): string[] {
  return [
    `${file} ${problems.length === 0 ? 'would be admitted' : 'would not be admitted'}; nothing was started`,
    ...(dataset ? datasetLines(dataset) : []),
    ...(calls ? callLines(calls, dataset?.cardinality.uniqueInputRows ?? 0) : []),
    ...warnings.map((warning) => `warning   ${warning}`),
  ];
}

function datasetLines({ columns, firstRows, cardinality, repeats, bytes }: CheckedDataset): string[] {
  const { uniqueInputRows, sourceRows, duplicateOccurrences, conflicts, rejectedRows, blank } = cardinality;
  const others = [
    counted(sourceRows, 'record'),
    counted(duplicateOccurrences, 'duplicate'),
    ...(conflicts > 0 ? [`${conflicts} of them with other content`] : []),
    ...(rejectedRows > 0 ? [`${rejectedRows} rejected`] : []),
    ...(blank > 0 ? [counted(blank, 'blank line')] : []),
  ];
  const identity = cardinality.rowIdentity === 'key' ? 'told apart by key' : 'told apart by position and content';
  const unnamed = duplicateOccurrences - repeats.length;
  return [
    `rows      ${uniqueInputRows} to run, ${identity} (${others.join(', ')}; ${sizeOf(bytes)})`,
    `columns   ${columns.join(', ') || 'none'}`,
    ...firstRows.map(({ line, input }) => `${`line ${line}`.padEnd(9)} ${cut(JSON.stringify(input))}`),
    ...repeats.map(({ first, differs, ...place }) => {
      return `duplicate ${placeText(place)} repeats ${placeText(first)}${differs ? ', with other content' : ''}`;
    }),
    ...(unnamed > 0 ? [`duplicate and ${unnamed} more`] : []),
  ];
}

const placeText = ({ line, file }: SourcePlace): string =>
  file === undefined ? `line ${line}` : `line ${line} of ${file}`;

function callLines({ tools, least, most, costLeast, costMost }: CallEstimate, rows: number): string[] {
  const each = rows === 0 ? '' : `, at most ${Math.ceil(most / rows)} for a row`;
  return [
    `calls     ${range(least, most)}${each}`,
    ...(tools.length === 0
      ? []
      : table([
          ['tool', 'calls', 'price', 'cost'],
          ...tools.map((one) => [
            one.account === 'default' ? one.tool : `${one.tool} (${one.account})`,
            range(one.least, one.most),
            one.price === 0 ? 'free' : money(one.price),
            range(one.least * one.price, one.most * one.price),
          ]),
        ])),
    `cost      ${range(costLeast, costMost)}`,
  ];
}

const range = (least: number, most: number): string =>
  least === most ? money(most) : `${money(least)} to ${money(most)}`;

const cut = (text: string): string =>
  text.length > SHOWN_ROW_CHARACTERS ? `${text.slice(0, SHOWN_ROW_CHARACTERS)}…` : text;

function sizeOf(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${size.toFixed(1)} ${unit}`;
}
