// What every profile reads unless it says otherwise, and the few body codes that mean the same at all providers.
import type { Profile, ProfileRule } from './profile';

/** The parts of a profile that a provider's data may replace or add to. */
export type ProfileData = Partial<Omit<Profile, 'name'>>;

const PROBLEM = 'https://iana.org/assignments/http-problem-types#';

/** After a provider's own rules. */
const COMMON_RULES: readonly ProfileRule[] = [
  {
    when: { status: ['4xx', '5xx'], fields: [{ path: 'type', is: [`${PROBLEM}quota-exceeded`] }] },
    means: { class: 'quota' },
  },
  {
    when: { status: ['4xx', '5xx'], fields: [{ path: 'type', is: [`${PROBLEM}temporary-reduced-capacity`] }] },
    means: { class: 'unavailable' },
  },
  // Gateways pass this billing code on under any status.
  {
    when: { status: ['4xx', '5xx'], fields: [{ path: 'error.code', is: ['insufficient_quota', 'insufficientquota'] }] },
    means: { class: 'person', code: 'QUOTA_EXHAUSTED' },
  },
];

const COMMON: Omit<Profile, 'name'> = {
  rules: COMMON_RULES,
  waits: [
    { header: 'retry-after-ms', unit: 'ms' },
    { header: 'x-ms-retry-after-ms', unit: 'ms' },
    { header: 'x-amz-retry-after', unit: 'ms' },
    { header: 'grpc-retry-pushback-ms', unit: 'ms' },
  ],
  buckets: [
    { remaining: 'ratelimit-remaining', reset: 'ratelimit-reset' },
    { remaining: 'x-ratelimit-remaining', reset: 'x-ratelimit-reset' },
    { remaining: 'x-ratelimit-remaining-requests', reset: 'x-ratelimit-reset-requests' },
    { remaining: 'x-ratelimit-remaining-tokens', reset: 'x-ratelimit-reset-tokens' },
    { remaining: 'x-rate-limit-remaining', reset: 'x-rate-limit-reset' },
    { reset: 'x-ratelimit-retry-after' },
  ],
  jsonBuckets: [],
  prose: [],
  throttleScope: 'account',
  floorMs: 0,
  errorMembers: ['error', 'errors'],
};

/** A whole profile from a provider's own data: lists are added before the common ones, everything else replaces. */
export function completeProfile(name: string, data: ProfileData): Profile {
  return {
    ...COMMON,
    ...data,
    name,
    rules: [...(data.rules ?? []), ...COMMON.rules],
    waits: [...(data.waits ?? []), ...COMMON.waits],
    buckets: [...(data.buckets ?? []), ...COMMON.buckets],
  };
}
