// Profiles of providers of language models.
import type { ProfileData } from './common';

const GO_DURATION = '((?:[0-9]+(?:\\.[0-9]+)?(?:ms|h|m|s))+)';

export const LANGUAGE_MODELS: Readonly<Record<string, ProfileData>> = {
  openai: {
    rules: [
      // Billing, whatever the Retry-After beside it says.
      {
        when: { fields: [{ path: 'error.type', is: ['insufficient_quota'] }] },
        means: { class: 'person', code: 'QUOTA_EXHAUSTED' },
      },
    ],
    prose: [{ path: 'error.message', like: `try again in ${GO_DURATION}`, unit: 'duration' }],
  },
  anthropic: {
    rules: [{ when: { fields: [{ path: 'error.type', is: ['overloaded_error'] }] }, means: { class: 'unavailable' } }],
    buckets: [
      ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map((bucket) => ({
        remaining: `anthropic-ratelimit-${bucket}-remaining`,
        reset: `anthropic-ratelimit-${bucket}-reset`,
      })),
      // The windows of a subscription say `rejected` instead of a number.
      {
        reset: 'anthropic-ratelimit-unified-reset',
        spent: { header: 'anthropic-ratelimit-unified-status', is: 'rejected' },
      },
    ],
  },
  google: {
    rules: [
      // A daily quota; a RetryInfo beside it is obeyed all the same.
      {
        when: { status: [429], fields: [{ path: 'error.details[].metadata.quota_limit', like: 'PerDay' }] },
        means: { class: 'quota', zone: 'America/Los_Angeles' },
      },
      {
        when: { status: [429], fields: [{ path: 'error.details[].violations[].quotaId', like: 'PerDay' }] },
        means: { class: 'quota', zone: 'America/Los_Angeles' },
      },
      {
        when: { status: [403], fields: [{ path: 'error.errors[].reason', is: ['dailyLimitExceeded'] }] },
        means: { class: 'quota' },
      },
      {
        when: {
          status: [403],
          fields: [{ path: 'error.errors[].reason', is: ['rateLimitExceeded', 'userRateLimitExceeded'] }],
        },
        means: { class: 'throttle' },
      },
    ],
    waits: [{ path: 'error.details[].retryDelay', unit: 'duration' }],
    prose: [{ path: 'error.message', like: `(?:retry in|reset after) ${GO_DURATION}`, unit: 'duration' }],
  },
  openrouter: { copiedHeaders: 'error.metadata.headers' },
};
