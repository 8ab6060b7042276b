// Reads a simulator's configuration file; the only place of the simulator that looks at the environment.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { PROVIDER_NAME, parseOptions, providerSchema, type SimOptions, simSchema } from './options';

/** In a file a secret is only ever named: `{ env: NAME }`. */
const fileSchema = simSchema.extend({
  providers: z.record(
    z.string().regex(PROVIDER_NAME),
    providerSchema.extend({ secret: z.strictObject({ env: z.string().min(1) }).optional() }),
  ),
});

/**
 * Options from a YAML or JSON file, secrets taken from `environment`.
 * @throws Error with the file's path and every problem in it, or every variable that is not set
 */
export function loadSimConfig(path: string, environment: { readonly [name: string]: string | undefined }): SimOptions {
  const { providers, ...rest } = parseOptions(fileSchema, parse(readFileSync(path, 'utf8')), path);
  const unset = Object.values(providers).flatMap(({ secret }) =>
    secret && !environment[secret.env] ? [secret.env] : [],
  );
  if (unset.length > 0) throw new Error(`${path}: expected these environment variables to be set: ${unset.join(', ')}`);
  const resolved = Object.entries(providers).map(([name, { secret, ...options }]) => {
    const value = secret && environment[secret.env];
    return [name, value === undefined ? options : { ...options, secret: value }] as const;
  });
  return { ...rest, providers: Object.fromEntries(resolved) };
}
