// Reads secrets where they are used, in the activity that sends the call: they never reach a workflow, a log or a result.
import { readFile } from 'node:fs/promises';
import type { SecretReference } from '../../contracts/schemas/secret-reference';
import { SecretUnavailable } from './tool-errors';

export type Environment = { readonly [name: string]: string | undefined };

/** A reference as messages show it: `{ env: ACME_KEY }`. */
export const describeSecret = (reference: SecretReference): string =>
  reference.env === undefined ? `{ file: ${reference.file} }` : `{ env: ${reference.env} }`;

/**
 * The secret, read anew at every call so that a rotated one is used at once. A file loses one newline at its end.
 * Throws SecretUnavailable, which names the reference and the reason, never the value.
 */
export async function resolveSecret(
  reference: SecretReference,
  environment: Environment = process.env,
): Promise<string> {
  const secret = reference.env === undefined ? await readSecretFile(reference) : environment[reference.env];
  if (secret === undefined) throw unavailable(reference, 'the variable is not set in the environment of the worker');
  if (secret === '') throw unavailable(reference, 'it is empty');
  return secret;
}

async function readSecretFile(reference: SecretReference): Promise<string> {
  try {
    return (await readFile(reference.file!, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    throw unavailable(
      reference,
      `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    );
  }
}

const unavailable = (reference: SecretReference, reason: string) =>
  new SecretUnavailable(`the secret ${describeSecret(reference)} is not available: ${reason}`);
