// Finds a profile by the name that a provider file gives.
import { APPLICATIONS } from './applications';
import { CLOUDS } from './clouds';
import { completeProfile } from './common';
import { ENRICHMENT } from './enrichment';
import { LANGUAGE_MODELS } from './language-models';
import type { Profile, ProfileRule } from './profile';

const PROFILES: ReadonlyMap<string, Profile> = new Map(
  Object.entries({ generic: {}, ...LANGUAGE_MODELS, ...CLOUDS, ...ENRICHMENT, ...APPLICATIONS }).map(
    ([name, data]) => [name, completeProfile(name, data)] as const,
  ),
);

/** All profile names, in alphabetical order. */
export const profileNames: readonly string[] = [...PROFILES.keys()].sort();

/** Throws RangeError that names the profile and lists the known ones. */
export function profileOf(name: string): Profile {
  const profile = PROFILES.get(name);
  if (profile) return profile;
  throw new RangeError(`unknown throttle profile "${name}", expected one of: ${profileNames.join(', ')}`);
}

/** A profile with more rules, which come before its own. */
export const withRules = (profile: Profile, rules: readonly ProfileRule[]): Profile => ({
  ...profile,
  rules: [...rules, ...profile.rules],
});
