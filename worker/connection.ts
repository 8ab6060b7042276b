// Where the Temporal server is, from environment and profile files: a Cloud namespace with TLS or an API key needs no code change.
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';

export interface ConnectionSettings {
  connectionOptions: NativeConnectionOptions;
  namespace: string;
}

/** TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_TLS…, TEMPORAL_API_KEY, TEMPORAL_PROFILE; default 127.0.0.1:7233, `default`. */
export function readConnection(): ConnectionSettings {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  return {
    connectionOptions: {
      ...connectionOptions,
      address: connectionOptions.address ?? '127.0.0.1:7233',
    } as NativeConnectionOptions,
    namespace: namespace ?? 'default',
  };
}
