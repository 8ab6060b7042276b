// A bare HTTP client for the simulator's tests: it keeps header lines apart and reports a broken connection as a value.
import { Agent, request } from 'node:http';
import type { SimOptions } from '../../../examples/provider-sim/options';
import { type ProviderSim, startProviderSim } from '../../../examples/provider-sim/start';

export interface Got {
  /** Null when the connection broke before an answer was whole. */
  status: number | null;
  /** Every header line, names in lower case. */
  lines: [name: string, value: string][];
  body: string;
  errorCode?: string;
}

export interface Ask {
  method?: string;
  key?: string;
  secret?: string;
  json?: unknown;
  signal?: AbortSignal;
}

/** Runs the test against a simulator that is closed afterwards, whatever happened. */
export async function withSim(options: SimOptions, test: (sim: ProviderSim) => Promise<void>): Promise<void> {
  const sim = await startProviderSim(options);
  try {
    await test(sim);
  } finally {
    await sim.close();
  }
}

/** One request on a connection of its own. */
export function ask(url: string, { method = 'GET', key, secret, json, signal }: Ask = {}): Promise<Got> {
  const headers = {
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
  };
  return new Promise((resolve) => {
    const got: Got = { status: null, lines: [], body: '' };
    const broke = (error: NodeJS.ErrnoException) => resolve({ ...got, errorCode: error.code ?? error.name });
    const outgoing = request(
      url,
      { method, headers, agent: new Agent(), ...(signal ? { signal } : {}) },
      (incoming) => {
        got.lines = pairs(incoming.rawHeaders);
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => {
          got.body += chunk;
        });
        incoming.on('error', broke);
        incoming.on('end', () => resolve({ ...got, status: incoming.statusCode ?? null }));
      },
    );
    outgoing.on('error', broke);
    outgoing.end(json === undefined ? undefined : JSON.stringify(json));
  });
}

/** Values of a header, one for each line. */
export const header = (got: Got, name: string): string[] =>
  got.lines.filter(([own]) => own === name).map(([, value]) => value);

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? ''] as [string, string]] : [],
  );
}
