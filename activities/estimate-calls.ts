// How many calls a spec may make and what they may cost, before anything runs. Pure.
import type { CallEstimate, ToolEstimate } from '../contracts/check-report';
import type { RowPlan } from '../contracts/plan';

/** Null for a TypeScript map. A column with a condition may be skipped, and a later leg runs only when those before it found nothing. */
export function estimateCalls({ program, tools }: RowPlan, rows: number): CallEstimate | null {
  if (program.kind !== 'columns') return null;
  const found = new Map<string, ToolEstimate>();
  for (const { legs = [], runIf } of program.columns) {
    for (const [at, { tool, account }] of legs.entries()) {
      const id = `${tool}@${account}`;
      const estimate = found.get(id) ?? { tool, account, price: tools[id]?.price ?? 0, least: 0, most: 0 };
      estimate.most += rows;
      if (at === 0 && runIf === undefined) estimate.least += rows;
      found.set(id, estimate);
    }
  }
  const all = [...found.values()];
  const sum = (of: (one: ToolEstimate) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    tools: all,
    least: sum(({ least }) => least),
    most: sum(({ most }) => most),
    costLeast: sum(({ least, price }) => least * price),
    costMost: sum(({ most, price }) => most * price),
  };
}
