// A throttle rule of a provider file: what an answer means when its status and some of its fields are these.
import { z } from 'zod';
import { MAX_HOLD_MS } from '../limits';
import { durationText, expected, flag, oneOf, text, wholeNumber } from './words';

const fieldTest = z
  .strictObject(
    {
      path: text('a path into the body')
        .describe('Path into the JSON body: `error.code`, `errors[].reason`.')
        .exactOptional(),
      header: text('the name of a header').describe('Name of a header, in lower case.').exactOptional(),
      xml: text('the name of an XML element').describe('Name of an XML element; the first one counts.').exactOptional(),
      text: z.literal(true, expected('true')).describe('The whole body as text.').exactOptional(),
      is: z.array(text('a text'), expected('a list of texts')).describe('One of these texts.').exactOptional(),
      like: z
        .string(expected('a regular expression'))
        .refine(isPattern, expected('a regular expression'))
        .describe('Regular expression, in any case.')
        .exactOptional(),
    },
    expected('a field { path | header | xml | text, is? | like? }'),
  )
  .describe('True when a value found there is one of `is` or matches `like`; without either, when there is a value.');

const statusTest = z.union(
  [wholeNumber(100, 599), z.enum(['2xx', '4xx', '5xx'])],
  expected('a status from 100 to 599, "2xx", "4xx" or "5xx"'),
);

const scope = () => oneOf('row', 'endpoint', 'account', 'provider').describe('What waits or ends.').exactOptional();
const floor = () => durationText({ minMs: 0, maxMs: MAX_HOLD_MS });

const meaning = z.discriminatedUnion(
  'class',
  [
    z.strictObject({
      class: z.literal('throttle'),
      scope: scope(),
      floor: floor().describe('Least wait when the answer names no time.').exactOptional(),
    }),
    z.strictObject({
      class: z.literal('quota'),
      zone: text('a time zone such as Europe/Berlin')
        .describe('The quota resets at the next midnight there.')
        .exactOptional(),
    }),
    z.strictObject({
      class: z.literal('person'),
      code: oneOf('AUTH_INVALID', 'AUTH_OR_CREDITS', 'OUT_OF_CREDITS')
        .default('AUTH_OR_CREDITS')
        .describe('What a person must settle.'),
    }),
    z.strictObject({ class: z.literal('unavailable') }),
    z.strictObject({
      class: z.literal('transient'),
      code: oneOf('SERVER_ERROR', 'RESOURCE_BUSY').default('SERVER_ERROR').describe('How the failure is named.'),
      mayHaveActed: flag().default(true).describe('The provider may have acted on the request.'),
      once: flag().describe('A second time it ends the call.').exactOptional(),
    }),
    z.strictObject({ class: z.literal('pending'), floor: floor().describe('Wait before asking again.') }),
    z.strictObject({ class: z.literal('no_match') }),
    z.strictObject({
      class: z.literal('terminal'),
      code: oneOf(
        'PROVIDER_ERROR',
        'INVALID_REQUEST',
        'FORBIDDEN',
        'NOT_FOUND',
        'NOT_PERMITTED',
        'QUERY_TOO_EXPENSIVE',
        'PAYLOAD_TOO_LARGE',
        'QUOTA_EXHAUSTED',
      )
        .default('PROVIDER_ERROR')
        .describe('How the failure is named.'),
      scope: scope(),
    }),
  ],
  expected('a class: throttle, quota, person, unavailable, transient, pending, no_match or terminal'),
);

export const throttleRuleSpec = z.strictObject(
  {
    when: z
      .strictObject(
        {
          status: z
            .array(statusTest, expected('a list of statuses'))
            .describe('One of these statuses; left out: any.')
            .exactOptional(),
          fields: z.array(fieldTest, expected('a list of fields')).describe('All of these hold.').exactOptional(),
        },
        expected('{ status?, fields? }'),
      )
      .describe('When the rule applies.'),
    means: meaning.describe('What the answer is then.'),
  },
  expected('a rule { when, means }'),
);

export type ThrottleRuleSpec = z.output<typeof throttleRuleSpec>;

function isPattern(value: unknown): boolean {
  try {
    return new RegExp(String(value), 'i') instanceof RegExp;
  } catch {
    return false;
  }
}
