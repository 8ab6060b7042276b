// Profiles of providers of company, contact and e-mail data.
import type { ProfileData } from './common';

export const ENRICHMENT: Readonly<Record<string, ProfileData>> = {
  apollo: { throttleScope: 'endpoint' },
  peopledatalabs: {
    throttleScope: 'endpoint',
    rules: [
      { when: { status: [404], fields: [{ path: 'error.type', is: ['not_found'] }] }, means: { class: 'no_match' } },
    ],
  },
  clearbit: {
    rules: [
      {
        when: { status: [202], fields: [{ path: 'error.type', is: ['queued'] }] },
        means: { class: 'pending', floorMs: 60_000 },
      },
    ],
  },
  neverbounce: {
    rules: [
      { when: { fields: [{ path: 'status', is: ['throttle_triggered'] }] }, means: { class: 'throttle' } },
      {
        when: { fields: [{ path: 'status', is: ['auth_failure'] }] },
        means: { class: 'person', code: 'AUTH_INVALID' },
      },
    ],
  },
  // One sentence for a bad key and for no credits, as text or as a list.
  zerobounce: {
    floorMs: 60_000,
    rules: ['error', 'error[]'].map((path) => ({
      when: { fields: [{ path, like: '^Invalid API Key or your account ran out of credits' }] },
      means: { class: 'person', code: 'AUTH_OR_CREDITS' },
    })),
  },
  // Three kinds of 429, told apart by their sentence alone.
  lusha: {
    rules: [
      {
        when: { status: [429], fields: [{ path: 'message', like: "^You've reached your trial limit" }] },
        means: { class: 'person', code: 'QUOTA_EXHAUSTED' },
      },
      {
        when: { status: [429], fields: [{ path: 'message', like: '^Daily API quota limit exceeded' }] },
        means: { class: 'quota' },
      },
    ],
    prose: [{ path: 'message', like: 'Reset in ([0-9]+) seconds', unit: 's' }],
  },
  mailboxlayer: {
    rules: [
      {
        when: {
          fields: [
            { path: 'success', is: ['false'] },
            { path: 'error.code', is: ['104'] },
          ],
        },
        means: { class: 'person', code: 'QUOTA_EXHAUSTED' },
      },
    ],
  },
};
