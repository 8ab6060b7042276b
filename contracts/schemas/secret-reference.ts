// A secret by reference: the name of a variable or of a file, never the secret itself.
import { z } from 'zod';
import { exactlyOne, type Rule } from './words';

export const environmentName = (rule: Rule) =>
  z
    .string(rule)
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, rule)
    .describe('Environment variable of the worker.');

/** Says nothing about what was found: a secret that was written here by mistake must not reach a log. */
export function secretReference(place: string) {
  const rule: Rule = {
    error: () => `expected { env: NAME } or { file: PATH }; the secret itself never stands in ${place}`,
  };
  return z
    .strictObject(
      {
        env: environmentName(rule).exactOptional(),
        file: z.string(rule).min(1, rule).describe('File that holds the secret.').exactOptional(),
      },
      rule,
    )
    .meta(exactlyOne('env', 'file'));
}

/** Where a secret lies; the secret itself is read by the activity that needs it. */
export type SecretReference = z.output<ReturnType<typeof secretReference>>;
