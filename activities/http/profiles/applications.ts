// Profiles of business applications and of their public APIs.
import type { ProfileData } from './common';

export const APPLICATIONS: Readonly<Record<string, ProfileData>> = {
  github: {
    rules: [
      {
        when: { status: [403, 429], fields: [{ path: 'message', like: '^You have exceeded a secondary rate limit' }] },
        means: { class: 'throttle', floorMs: 60_000 },
      },
      // GraphQL reports the limit inside a 200.
      {
        when: { status: [200], fields: [{ path: 'errors[].type', is: ['RATE_LIMITED'] }] },
        means: { class: 'throttle' },
      },
    ],
  },
  slack: {
    throttleScope: 'endpoint',
    rules: [
      { when: { fields: [{ path: 'error', is: ['ratelimited', 'rate_limited'] }] }, means: { class: 'throttle' } },
    ],
    waits: [{ path: 'retry_after', unit: 's' }],
  },
  discord: {
    throttleScope: 'endpoint',
    rules: [
      {
        when: { status: [429], fields: [{ path: 'global', is: ['true'] }] },
        means: { class: 'throttle', scope: 'account' },
      },
      {
        when: { status: [429], fields: [{ header: 'x-ratelimit-global', is: ['true'] }] },
        means: { class: 'throttle', scope: 'account' },
      },
    ],
    waits: [{ path: 'retry_after', unit: 's' }],
  },
  // The same field, in milliseconds.
  'discord-v6': { waits: [{ path: 'retry_after', unit: 'ms' }] },
  twitter: {},
  basecamp: { jsonBuckets: [{ header: 'x-ratelimit', remaining: 'remaining', reset: 'until' }] },
  pubg: {},
  mailerlite: {},
  airtable: { floorMs: 30_000 },
  meta: {
    rules: [
      {
        when: { status: [400, 403], fields: [{ path: 'error.code', is: ['4', '17', '32', '613'] }] },
        means: { class: 'throttle' },
      },
    ],
  },
  hubspot: {
    rules: [
      {
        when: { status: [429], fields: [{ path: 'policyName', is: ['SECONDLY'] }] },
        means: { class: 'throttle', floorMs: 1_000 },
      },
      {
        when: { status: [429], fields: [{ path: 'policyName', is: ['TEN_SECONDLY_ROLLING'] }] },
        means: { class: 'throttle', floorMs: 10_000 },
      },
    ],
  },
  // One code for two limits: long requests at the same time clear in seconds, the day's allocation does not.
  salesforce: {
    rules: [
      {
        when: {
          fields: [
            { path: 'errorCode', is: ['REQUEST_LIMIT_EXCEEDED'] },
            { path: 'message', like: '^ConcurrentRequests\\b' },
          ],
        },
        means: { class: 'throttle' },
      },
      { when: { fields: [{ path: 'errorCode', is: ['REQUEST_LIMIT_EXCEEDED'] }] }, means: { class: 'quota' } },
    ],
  },
  shopify: {
    rules: [
      { when: { fields: [{ path: 'errors[].extensions.code', is: ['THROTTLED'] }] }, means: { class: 'throttle' } },
    ],
    cost: {
      requested: 'extensions.cost.requestedQueryCost',
      available: 'extensions.cost.throttleStatus.currentlyAvailable',
      maximum: 'extensions.cost.throttleStatus.maximumAvailable',
      ratePerSecond: 'extensions.cost.throttleStatus.restoreRate',
    },
  },
  // A lock on one object, or the first attempt under this key is still running: the account is not limited.
  stripe: {
    rules: ['lock_timeout', 'idempotency_key_in_use'].map((code) => ({
      when: { status: [409, 429], fields: [{ path: 'error.code', is: [code] }] },
      means: { class: 'transient', code: 'RESOURCE_BUSY', mayHaveActed: false },
    })),
  },
  emailit: {
    rules: [
      { when: { status: [429], fields: [{ path: 'error', is: ['Daily limit exceeded'] }] }, means: { class: 'quota' } },
    ],
    waits: [{ path: 'retry_after', unit: 's' }],
  },
};
