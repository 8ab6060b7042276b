// The flags of `gate set`: limits as people type them, checked before anything is sent.
import { InvalidArgumentError } from 'commander';
import { durationProblem, formatDuration, parseDuration } from '../../contracts/duration';
import type { AdjustSignal, GateWindow } from '../../contracts/gate';
import {
  MAX_PROVIDER_CONCURRENCY,
  MAX_WINDOW_MS,
  MAX_WINDOW_REQUESTS,
  MIN_UNIT_WINDOW_MS,
} from '../../contracts/limits';
import { parseGateName } from './gate-name';

export interface GateSetFlags {
  /** Windows that take the place of all declared ones. */
  rate?: GateWindow[];
  concurrency?: number;
  /** Goes back to the provider file's: `rate`, `concurrency` or both. */
  declared?: Declared;
}

type Declared = 'rate' | 'concurrency' | 'all';

/** Parser of `--rate <limit>/<per>`, which may be given several times: `20/1s`, `5000/24h`. */
export function rateFlag(text: string, before: GateWindow[] = []): GateWindow[] {
  const [limitText = '', per, ...more] = text.split('/');
  const limit = Number(limitText);
  if (per === undefined || more.length > 0 || !/^\d+$/.test(limitText) || limit > MAX_WINDOW_REQUESTS) {
    throw new InvalidArgumentError(
      `Expected <limit>/<per>, such as 20/1s; the limit is a whole number from 0 to ${MAX_WINDOW_REQUESTS}.`,
    );
  }
  const problem = durationProblem(per, { minMs: 1, maxMs: MAX_WINDOW_MS });
  if (problem !== null) throw new InvalidArgumentError(`After the slash: ${problem}.`);
  const perMs = parseDuration(per);
  if (before.some((window) => window.perMs === perMs)) throw new InvalidArgumentError(`Two limits for ${per}.`);
  return [...before, { limit, perMs }];
}

export function concurrencyFlag(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= MAX_PROVIDER_CONCURRENCY) return value;
  throw new InvalidArgumentError(`Expected a whole number from 0 to ${MAX_PROVIDER_CONCURRENCY}; 0 sends nothing.`);
}

/** The payload of the signal, or what is wrong with the flags taken together. */
export function adjustment({ rate, concurrency, declared }: GateSetFlags): AdjustSignal | string {
  const back = (name: Declared): boolean => declared === name || declared === 'all';
  if (rate === undefined && concurrency === undefined && declared === undefined) {
    return 'give --rate, --concurrency or --declared';
  }
  if ((rate !== undefined && back('rate')) || (concurrency !== undefined && back('concurrency'))) {
    return `--declared ${declared} and a limit of the same kind exclude each other`;
  }
  return {
    ...(rate !== undefined || back('rate') ? { rate: rate ?? null } : {}),
    ...(concurrency !== undefined || back('concurrency') ? { concurrency: concurrency ?? null } : {}),
  };
}

/** What a gate of another unit than requests cannot take; null when it takes the change. Throws GATE_NOT_FOUND for no name of a gate. */
export function unitProblem(gate: string, { rate, concurrency }: AdjustSignal): string | null {
  const { unit } = parseGateName(gate);
  if (unit === undefined) return null;
  if (typeof concurrency === 'number') return `${unit} have no concurrency; set it at the gate of the requests`;
  const short = rate?.find(({ perMs }) => perMs < MIN_UNIT_WINDOW_MS);
  if (!short) return null;
  return `a window of ${unit} is at least ${formatDuration(MIN_UNIT_WINDOW_MS)} long, found ${formatDuration(short.perMs)}`;
}
