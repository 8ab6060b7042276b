// A setCaps signal from anybody: what is out of bounds or of the wrong type is refused with a warning, never a broken map.
import type { Caps } from '../contracts/map-limits';

const EXPECTED: { [name in keyof Caps]: { what: string; fits(value: unknown): boolean } } = {
  maxCalls: {
    what: 'a whole number from 1, or null',
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  },
  maxCost: { what: 'a number above 0, or null', fits: (value) => Number.isFinite(value) && Number(value) > 0 },
};

export interface CheckedCaps {
  caps: Partial<Caps>;
  problems: string[];
}

/** Keeps what is right and says what is not. */
export function checkedCaps(wanted: unknown): CheckedCaps {
  const checked: CheckedCaps = { caps: {}, problems: [] };
  const ignored = (what: string, value: unknown) =>
    checked.problems.push(`setCaps${what}, got ${JSON.stringify(value) ?? 'nothing'}`);
  if (wanted === null || typeof wanted !== 'object' || Array.isArray(wanted)) {
    ignored(' was ignored: expected { "maxCalls": n, "maxCost": n }', wanted);
    return checked;
  }
  for (const [name, value] of Object.entries(wanted)) {
    const rule = Object.hasOwn(EXPECTED, name) ? EXPECTED[name as keyof Caps] : null;
    if (!rule) checked.problems.push(`setCaps: ${name} was ignored, known are maxCalls and maxCost`);
    else if (value === null || rule.fits(value)) checked.caps[name as keyof Caps] = value;
    else ignored(`: ${name} was ignored, expected ${rule.what}`, value);
  }
  return checked;
}
