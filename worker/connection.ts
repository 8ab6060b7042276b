// Where the Temporal server is, from environment and profile files: a Cloud namespace with TLS or an API key needs no code change.
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { settingsProblem } from '../contracts/settings-problem';
import { ConfigError, type Environment } from './config';

export interface ConnectionSettings {
  connectionOptions: NativeConnectionOptions;
  namespace: string;
}

/**
 * TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_TLS…, TEMPORAL_API_KEY, TEMPORAL_PROFILE; default 127.0.0.1:7233, `default`.
 * Throws ConfigError when the named profile or a certificate file does not exist, or the profile file is not TOML.
 */
export function readConnection(env: Environment): ConnectionSettings {
  const { connectionOptions, namespace } = loadSettings(env);
  return {
    connectionOptions: {
      ...connectionOptions,
      address: connectionOptions.address ?? '127.0.0.1:7233',
    } as NativeConnectionOptions,
    namespace: namespace ?? 'default',
  };
}

function loadSettings(env: Environment) {
  const present = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  try {
    return loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(present) });
  } catch (error) {
    throw new ConfigError([settingsProblem(error, env)]);
  }
}
