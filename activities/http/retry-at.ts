// Reads one time value of a header or body strictly: the whole text is one of the accepted forms, or it counts as absent, never as zero.
import { INSTANT_HORIZON_MS, LATEST_INSTANT_MS } from '../../contracts/limits';
import { parseHttpDate, parseRfc3339 } from './http-date';

/** What a text asks for: wait this long, or wait until an instant of the server's clock. Whole milliseconds, rounded up, never negative, at most {@link FAR_MS}. */
export type TimeValue = { kind: 'delay'; ms: number } | { kind: 'instant'; epochMs: number };

/** A wait that is longer than any number stays "longer than any cap". */
export const FAR_MS = LATEST_INSTANT_MS;

const WEEKDAY_ALONE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)$/;
const NUMBER = /^([0-9]+)(?:\.([0-9]+))?$/;
const GO_DURATION = /^(?:[0-9]+(?:\.[0-9]+)?(?:ns|us|µs|μs|ms|s|m|h))+$/;
// `ms` stands before `m`: 20ms is not twenty minutes.
const GO_PART = /([0-9]+)(?:\.([0-9]+))?(ns|us|µs|μs|ms|s|m|h)/g;

const NS_PER_MS = 1_000_000n;
const UNIT_NS: Record<string, bigint> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: NS_PER_MS,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/**
 * One value: an HTTP-date, RFC 3339 with a zone, digits or a decimal (seconds, or an epoch by magnitude), or a Go duration.
 * `nowMs` (local wall clock) tells a far instant from a large number of seconds. Null for everything else, also for negative numbers.
 */
export function parseTimeValue(text: string, nowMs: number): TimeValue | null {
  const value = trim(text);
  const date = parseHttpDate(value, nowMs) ?? parseRfc3339(value);
  if (date !== null) return { kind: 'instant', epochMs: clampFar(date) };
  const number = NUMBER.exec(value);
  if (number) return byMagnitude(stripZeros(number[1] ?? ''), number[2] ?? '', nowMs);
  const ms = parseDuration(value);
  return ms === null ? null : { kind: 'delay', ms };
}

/** All readable values of header lines that may each hold a list, with their texts; a comma inside an HTTP-date separates nothing. */
export function readTimeValues(lines: readonly string[], nowMs: number): { text: string; value: TimeValue }[] {
  return lines.flatMap((line) => {
    const texts = parseTimeValue(line, nowMs) === null ? splitList(line) : [line];
    return texts.flatMap((text) => {
      const value = parseTimeValue(text, nowMs);
      return value === null ? [] : [{ text: trim(text), value }];
    });
  });
}

/** Milliseconds of a Go duration (`1h2m3.5s`, `20ms`), rounded up; null when the text is none. */
export function parseDuration(text: string): number | null {
  if (!GO_DURATION.test(text)) return null;
  let ns = 0n;
  for (const [, whole, fraction, unit] of text.matchAll(GO_PART)) {
    ns += scale(whole ?? '', fraction ?? '', UNIT_NS[unit ?? ''] ?? 0n);
  }
  return toMs(ns);
}

/** Milliseconds of a plain number in the given unit, rounded up; null when the text is no plain number. */
export function parseNumberOf(unit: 'ms' | 's' | 'm', text: string): number | null {
  const number = NUMBER.exec(trim(text));
  return number === null ? null : toMs(scale(number[1] ?? '', number[2] ?? '', UNIT_NS[unit] ?? 0n));
}

/** Digits below 1e9 are seconds to wait; longer numbers are epoch seconds, milliseconds, microseconds, nanoseconds. */
function byMagnitude(digits: string, fraction: string, nowMs: number): TimeValue {
  const unit = epochUnit(digits.length);
  if (unit !== null) {
    const epochMs = toMs(scale(digits, fraction, unit));
    if (epochMs - nowMs <= INSTANT_HORIZON_MS) return { kind: 'instant', epochMs };
  }
  return { kind: 'delay', ms: toMs(scale(digits, fraction, UNIT_NS.s ?? 0n)) };
}

function epochUnit(length: number): bigint | null {
  if (length <= 9) return null;
  if (length <= 11) return UNIT_NS.s ?? null;
  if (length <= 14) return NS_PER_MS;
  return length <= 17 ? 1_000n : 1n;
}

/** `whole.fraction` units in nanoseconds, exact but for the last one, which is rounded up. */
function scale(whole: string, fraction: string, unitNs: bigint): bigint {
  const divisor = 10n ** BigInt(fraction.length);
  return (BigInt(whole + fraction) * unitNs + divisor - 1n) / divisor;
}

const toMs = (ns: bigint): number => clampFar(Number((ns + NS_PER_MS - 1n) / NS_PER_MS));

const clampFar = (ms: number): number => Math.max(0, Math.min(FAR_MS, ms));

const stripZeros = (digits: string): string => digits.replace(/^0+(?=[0-9])/, '');

/** Optional whitespace of HTTP is space and tab, nothing else. */
const trim = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '');

function splitList(line: string): string[] {
  const texts: string[] = [];
  for (const piece of line.split(',')) {
    const last = texts.at(-1);
    if (last !== undefined && WEEKDAY_ALONE.test(trim(last))) texts[texts.length - 1] = `${trim(last)},${piece}`;
    else texts.push(piece);
  }
  return texts;
}
