// The format of a provider file: accounts, limits, throttle rules and the HTTP tools of one provider.
import { z } from 'zod';
import { formatDuration } from '../duration';
import type { Problem } from '../failures';
import {
  GIVE_UP_AFTER_MS,
  MAX_GIVE_UP_AFTER_MS,
  MAX_PROVIDER_CONCURRENCY,
  MAX_WINDOW_MS,
  MAX_WINDOW_REQUESTS,
  MIN_GIVE_UP_AFTER_MS,
} from '../limits';
import { providerFileRules } from './provider-file-rules';
import { readBy } from './read-by';
import { environmentName, secretReference } from './secret-reference';
import { throttleRuleSpec } from './throttle-rule-spec';
import { toolSpec } from './tool-spec';
import { durationText, expected, name, text, wholeNumber } from './words';

const secretSpec = secretReference('a provider file');

const limitsSpec = z.strictObject(
  {
    rate: z
      .array(
        z.strictObject(
          {
            limit: wholeNumber(1, MAX_WINDOW_REQUESTS).describe('Requests, or units, in one window.'),
            per: durationText({ minMs: 1, maxMs: MAX_WINDOW_MS }).describe('Length of the window.'),
            unit: name()
              .describe(
                'What is counted, such as tokens or credits; left out: requests. Each tool then says in `units` what a call weighs.',
              )
              .exactOptional(),
          },
          expected('a window { limit, per, unit? }'),
        ),
        expected('a list of windows { limit, per, unit? }'),
      )
      .default([])
      .describe('Windows that all hold at the same time.'),
    concurrency: wholeNumber(1, MAX_PROVIDER_CONCURRENCY)
      .describe('Requests under way at the same time, for each account.')
      .exactOptional(),
  },
  expected('limits { rate?, concurrency? }'),
);

export const providerFileSchema = z
  .strictObject(
    {
      provider: name().describe('Name of the provider: the first part of its tools’ names and of its task queues.'),
      baseUrl: z
        .union(
          [z.string(), z.strictObject({ env: environmentName(expected('the name of an environment variable')) })],
          expected('an https URL, or { env: NAME } of a variable that holds one'),
        )
        .describe('Address that request paths are appended to: https, or http for a loopback host.'),
      accounts: z
        .record(
          name(),
          z.strictObject({ secret: secretSpec.describe('Where the secret lies.') }, expected('an account { secret }')),
          expected('accounts { name: { secret } }'),
        )
        .describe('Accounts by name, each with its own secret, limits and task queue; left out for an open API.')
        .exactOptional(),
      auth: z
        .strictObject(
          {
            header: text('the name of a header').describe('Header that carries the secret.'),
            value: text('a text with {secret}').describe('Its value; {secret} stands for the account’s secret.'),
          },
          expected('auth { header, value }'),
        )
        .describe('How a request shows its secret.')
        .exactOptional(),
      limits: limitsSpec.prefault({}).describe('What one account may send.'),
      throttle: z
        .strictObject(
          {
            profile: name().default('generic').describe('How this provider words its refusals.'),
            rules: z
              .array(throttleRuleSpec, expected('a list of rules { when, means }'))
              .describe('Rules that come before those of the profile.')
              .exactOptional(),
          },
          expected('throttle { profile, rules? }'),
        )
        .prefault({})
        .describe('How refusals are read.'),
      giveUpAfter: durationText({ minMs: MIN_GIVE_UP_AFTER_MS, maxMs: MAX_GIVE_UP_AFTER_MS })
        .describe(
          `An account without any success for this long is exhausted; default ${formatDuration(GIVE_UP_AFTER_MS)}.`,
        )
        .exactOptional(),
      idempotency: z
        .strictObject(
          { header: text('the name of a header').describe('Header that carries the idempotency key.') },
          expected('idempotency { header }'),
        )
        .describe('Set when the provider charges requests with an equal key once.')
        .exactOptional(),
      tools: z
        .record(name(), toolSpec, expected('tools { name: tool }'))
        .describe('Tools by name; a map calls them as `<provider>.<name>`.'),
    },
    expected('a provider file { provider, baseUrl, accounts?, tools }'),
  )
  .meta({ title: 'Sluice provider file' });

/** A provider file as it was written, with the defaults filled in. */
export type ProviderFile = z.output<typeof providerFileSchema>;
export type ProviderFileReading = { ok: true; file: ProviderFile } | { ok: false; problems: Problem[] };

/** Reads a provider file with every problem's path still in parts, for a loader that knows the lines. */
export const readProviderFile = (raw: unknown) => readBy(providerFileSchema, raw, providerFileRules);

/** Reads a provider file from parsed YAML or JSON. Lists every problem as `<fileName> at <path>`; throws nothing. */
export function parseProviderFile(raw: unknown, fileName: string): ProviderFileReading {
  const reading = readProviderFile(raw);
  if (reading.ok) return { ok: true, file: reading.value };
  return { ok: false, problems: reading.problems.map((one) => ({ ...one, path: `${fileName} at ${one.path}` })) };
}
