// What a map has bought, what is reserved and what it may buy, as text.
import type { MapBudget, MapProgress } from '../contracts/results';
import { money } from './format';

const range = (least: number, most: number): string =>
  least === most ? money(most) : `${money(least)} to ${money(most)}`;

/** `calls 12 of 100, 4 reserved · cost 0.24 of 2, 0.08 reserved`. */
export function budgetLine({ caps, spent, reserved }: MapBudget): string {
  const part = (name: string, cap: number | null, used: number, kept: number) =>
    `${name} ${money(used)}${cap === null ? ', no cap' : ` of ${money(cap)}`}${kept > 0 ? `, ${money(kept)} reserved` : ''}`;
  return [
    part('calls', caps.maxCalls, spent.calls, reserved.calls),
    part('cost', caps.maxCost, spent.cost, reserved.cost),
  ].join(' · ');
}

/** What all rows will need, before they have: reused answers make it less. */
export function forecastLine({ least, most, caps }: MapBudget): string {
  const cap = (value: number | null) => (value === null ? '' : ` (cap ${money(value)})`);
  const noun = most.calls === 1 ? 'call' : 'calls';
  return `expects ${range(least.calls, most.calls)} ${noun}${cap(caps.maxCalls)}, cost ${range(least.cost, most.cost)}${cap(caps.maxCost)}`;
}

/** Why a map stands still, and what to do; null when no cap is the reason. */
export function capLine(mapId: string, { pausedBy, budget }: Pick<MapProgress, 'pausedBy' | 'budget'>): string | null {
  if (!budget || !pausedBy || pausedBy === 'person') return null;
  const flag = pausedBy === 'maxCalls' ? '--max-calls' : '--max-cost';
  const cap = money(budget.caps[pausedBy] ?? 0);
  return `${pausedBy} ${cap} is reached: one more row may exceed it; go on with: sluice set-caps ${mapId} ${flag} <more>`;
}
