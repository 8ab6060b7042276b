// What every bench runs on: a dev server of its own, a simulator, worker processes, and maps started on them.
import { readFileSync } from 'node:fs';
import { type LabOptions, type MapLab, openMapLab } from '../helpers/map-lab';

export interface Measured {
  name: string;
  /** Figures by name; the unit is part of the name. */
  figures: { [figure: string]: number | string };
}

/** Opens a lab, runs one measurement, and closes it whatever happens. */
export async function onStage<Result>(options: LabOptions, run: (lab: MapLab) => Promise<Result>): Promise<Result> {
  const lab = await openMapLab(options);
  try {
    return await run(lab);
  } finally {
    await lab.close();
  }
}

export const seconds = (ms: number): number => Math.round(ms) / 1000;

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Resident memory of another process in MiB; Linux only, NaN elsewhere. */
export function residentMiB(pid: number): number {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line ? Math.round(Number(line[1]) / 1024) : Number.NaN;
  } catch {
    return Number.NaN;
  }
}
