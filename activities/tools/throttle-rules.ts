// Throttle rules as people write them, turned into the rules that answers are read by: durations become milliseconds.
import { parseDuration } from '../../contracts/duration';
import { THROTTLE_BASE_MS } from '../../contracts/limits';
import type { ThrottleRuleSpec } from '../../contracts/schemas/throttle-rule-spec';
import type { Meaning, ProfileRule } from '../http/profiles/profile';

function meaningOf(means: ThrottleRuleSpec['means']): Meaning {
  if (means.class === 'pending') return { class: 'pending', floorMs: parseDuration(means.floor) };
  if (means.class !== 'throttle') return means;
  const { floor, ...rest } = means;
  return floor === undefined ? rest : { ...rest, floorMs: parseDuration(floor) };
}

/** Where providers name the code of a refusal. */
const CODE_PATHS = ['error.code', 'error.type', 'error.status', 'error', 'code', 'type', 'status'];

/** A request under a key that the provider is still at work on: it is paid for already, so its answer is waited for. */
export const EXECUTION_IN_PROGRESS: readonly ProfileRule[] = CODE_PATHS.map((path) => ({
  when: { status: [409], fields: [{ path, is: ['EXECUTION_IN_PROGRESS', 'execution_in_progress'] }] },
  means: { class: 'pending', floorMs: THROTTLE_BASE_MS },
}));

/** The rules of a provider file, in their order; they come before those of the profile. */
export function profileRules(rules: readonly ThrottleRuleSpec[] = []): ProfileRule[] {
  return rules.map(({ when, means }) => ({ when, means: meaningOf(means) }));
}
