// Throttle rules as people write them, turned into the rules that answers are read by: durations become milliseconds.
import { parseDuration } from '../../contracts/duration';
import type { ThrottleRuleSpec } from '../../contracts/schemas/throttle-rule-spec';
import type { Meaning, ProfileRule } from '../http/profiles/profile';

function meaningOf(means: ThrottleRuleSpec['means']): Meaning {
  if (means.class === 'pending') return { class: 'pending', floorMs: parseDuration(means.floor) };
  if (means.class !== 'throttle') return means;
  const { floor, ...rest } = means;
  return floor === undefined ? rest : { ...rest, floorMs: parseDuration(floor) };
}

/** The rules of a provider file, in their order; they come before those of the profile. */
export function profileRules(rules: readonly ThrottleRuleSpec[] = []): ProfileRule[] {
  return rules.map(({ when, means }) => ({ when, means: meaningOf(means) }));
}
