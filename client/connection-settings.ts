// Where the server is: flags over environment over profile file over the local default, read through @temporalio/envconfig.
import type { ConnectionOptions } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { MAIN_TASK_QUEUE } from '../contracts/names';
import { settingsProblem } from '../contracts/settings-problem';
import { CommandError } from './command-error';

export const DEFAULT_ADDRESS = '127.0.0.1:7233';
export const DEFAULT_NAMESPACE = 'default';

/** Flags that every verb has. */
export interface ConnectionFlags {
  address?: string;
  namespace?: string;
  profile?: string;
}

export interface ConnectionSettings {
  address: string;
  namespace: string;
  taskQueue: string;
  options: ConnectionOptions;
}

/**
 * Settings for this call. `env` is searched for TEMPORAL_ADDRESS, _NAMESPACE, _PROFILE, _API_KEY, _TLS… and for the profile file.
 * Throws CONFIG_INVALID when the named profile or a certificate file does not exist, or the file is not TOML.
 */
export function connectionSettings(
  flags: ConnectionFlags,
  env: { [name: string]: string | undefined },
): ConnectionSettings {
  const { connectionOptions, namespace } = loadSettings(flags.profile, env);
  const address = flags.address ?? connectionOptions.address ?? DEFAULT_ADDRESS;
  const { tls, apiKey, metadata } = connectionOptions;
  const options: ConnectionOptions = { address };
  if (tls !== undefined) options.tls = tls;
  if (apiKey !== undefined) options.apiKey = apiKey;
  if (metadata !== undefined) options.metadata = metadata;
  return {
    address,
    namespace: flags.namespace ?? namespace ?? DEFAULT_NAMESPACE,
    taskQueue: MAIN_TASK_QUEUE,
    options,
  };
}

function loadSettings(profile: string | undefined, env: { [name: string]: string | undefined }) {
  const present = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  try {
    return loadClientConnectConfig({
      ...(profile === undefined ? {} : { profile }),
      overrideEnvVars: Object.fromEntries(present),
    });
  } catch (error) {
    throw new CommandError('CONFIG_INVALID', settingsProblem(error, env));
  }
}

/** The given flags as text to append to a command that is shown, so that it reaches the same server when it is pasted. */
export function repeatedFlags(flags: ConnectionFlags): string {
  const names = {
    address: '--address',
    namespace: '--namespace',
    profile: '--profile',
  } as const;
  return Object.entries(names)
    .flatMap(([key, flag]) => {
      const value = flags[key as keyof typeof names];
      return value === undefined ? [] : [` ${flag} ${value}`];
    })
    .join('');
}
