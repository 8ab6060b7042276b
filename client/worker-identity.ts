// What a worker tells about itself in its identity: `sluice/<host>/<pid>/<provider.account,provider.account…>`.

export interface WorkerIdentity {
  host: string;
  pid: number;
  /** `<provider>.<account>` of every queue that this process serves, open or closed. */
  providers: string[];
}

/** Null for the identity of anything else that polls the queue. */
export function parseWorkerIdentity(identity: string): WorkerIdentity | null {
  const match = /^sluice\/([^/]+)\/(\d+)\/(.*)$/.exec(identity);
  if (!match) return null;
  const [, host = '', pid = '', providers = ''] = match;
  return { host, pid: Number(pid), providers: providers === '' ? [] : providers.split(',') };
}

/** Providers of `wanted` that no identity serves; null when a foreign worker is among them, since nobody knows what that one serves. */
export function unservedProviders(identities: readonly string[], wanted: readonly string[]): string[] | null {
  const served = new Set<string>();
  for (const identity of identities) {
    const worker = parseWorkerIdentity(identity);
    if (worker === null) return null;
    for (const provider of worker.providers) served.add(provider);
  }
  return wanted.filter((provider) => !served.has(provider));
}
