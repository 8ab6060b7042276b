// Profiles of cloud platforms and of what stands in front of other people's services.
import type { ProfileData } from './common';

const AWS_THROTTLES =
  'ThrottlingException|Throttling|ThrottledException|RequestThrottled|RequestThrottledException|TooManyRequestsException|' +
  'ProvisionedThroughputExceededException|RequestLimitExceeded|LimitExceededException|BandwidthLimitExceeded|PriorRequestNotComplete|SlowDown';

export const CLOUDS: Readonly<Record<string, ProfileData>> = {
  aws: {
    rules: [
      // JSON protocols put a namespace before the code, headers a URL behind it, S3 speaks XML.
      { when: { fields: [{ path: '__type', like: `(?:^|#)(?:${AWS_THROTTLES})$` }] }, means: { class: 'throttle' } },
      {
        when: { fields: [{ header: 'x-amzn-errortype', like: `^(?:${AWS_THROTTLES})(?::|$)` }] },
        means: { class: 'throttle' },
      },
      { when: { fields: [{ xml: 'Code', like: `^(?:${AWS_THROTTLES})$` }] }, means: { class: 'throttle' } },
      {
        when: { status: [400, 403], fields: [{ path: '__type', like: '(?:^|#)RequestTimeTooSkewed$' }] },
        means: { class: 'transient', code: 'CLOCK_SKEW', mayHaveActed: false, once: true },
      },
    ],
  },
  azure: {},
  'azure-devops': {},
  msgraph: {
    batch: { list: 'responses', id: 'id', status: 'status', headers: 'headers', body: 'body' },
  },
  'cloudflare-api': { floorMs: 300_000 },
  'generic-behind-cloudflare': {
    rules: [
      // Error 1015 blocks our address, so every account behind it.
      {
        when: {
          status: [429, 403],
          fields: [
            { header: 'server', is: ['cloudflare'] },
            { text: true, like: '\\berror 1015\\b' },
          ],
        },
        means: { class: 'throttle', scope: 'provider' },
      },
    ],
  },
  'google-maps': {
    rules: [
      {
        when: {
          fields: [
            { path: 'status', is: ['OVER_QUERY_LIMIT'] },
            { path: 'error_message', like: '^You have exceeded your daily request quota' },
          ],
        },
        means: { class: 'quota' },
      },
      { when: { fields: [{ path: 'status', is: ['OVER_QUERY_LIMIT'] }] }, means: { class: 'throttle' } },
    ],
  },
};
