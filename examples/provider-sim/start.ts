// Starts a provider simulator on 127.0.0.1: routes, records, waits for the latency, answers.
import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Control, createControl, runCommand } from './control';
import { connectionClosed, deliver } from './deliver';
import { Ledger, type LedgerEntry } from './ledger';
import { type LedgerSummary, summarizeLedger } from './ledger-reading';
import { parseOptions, type SimOptions, simSchema } from './options';
import { type Decision, type Instant, SimProvider } from './provider';
import { readRequest, type SimRequest } from './read-request';
import { errorReply, jsonReply, type Reply } from './reply';
import { billingKey, unknownPath } from './routes';

export interface ProviderSim {
  /** `http://127.0.0.1:<port>`; a provider's base URL is `<url>/<provider>`. */
  url: string;
  port: number;
  /** Grows with each request. */
  ledger: readonly LedgerEntry[];
  control: Control;
  summary(): LedgerSummary;
  /** Resolves as soon as the condition holds, looked at now and after each request (before its answer leaves). */
  waitFor(condition: (entries: readonly LedgerEntry[]) => boolean): Promise<void>;
  /** Breaks what is under way and frees the port. */
  close(): Promise<void>;
}

/** Longer than any client's pool keeps a connection, so that an idle one is never reset by us. */
const KEEP_ALIVE_MS = 10 * 60_000;

/** @throws Error that lists every option that is wrong, or when the port is taken or the ledger cannot be written */
export async function startProviderSim(options: SimOptions): Promise<ProviderSim> {
  const { seed, port: wantedPort, ledgerFile, providers: wanted } = parseOptions(simSchema, options, 'simulator');
  const startedMs = performance.now();
  const now = (): Instant => ({ monotonicMs: performance.now() - startedMs, wallMs: Date.now() });
  const providers = new Map(
    Object.entries(wanted).map(([name, own]) => [name, new SimProvider(own, `${seed}/${name}`, name)]),
  );
  const control = createControl(providers, () => now().monotonicMs);
  const ledger = new Ledger(ledgerFile);
  const closing = new AbortController();
  // Every latency listens to it.
  setMaxListeners(0, closing.signal);

  const summary = () => {
    const windows = [...providers].map(([name, provider]) => [name, provider.windows] as const);
    return summarizeLedger(ledger.entries, Object.fromEntries(windows));
  };
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming);
    if (request.provider.startsWith('_')) return deliver(response, inspect(request, ledger, summary, control));
    const instant = now();
    const decision = providers.get(request.provider)?.judge(request, instant) ?? nobody(request);
    const n = ledger.entries.length + 1;
    ledger.append(entry(n, request, instant, decision));
    if (decision.reply.delivery === 'hang') await connectionClosed(response);
    else if (decision.latencyMs > 0) await wait(decision.latencyMs, undefined, { signal: closing.signal });
    // Before the answer leaves: who has it may already send the next request.
    decision.settle();
    deliver(response, withRequestId(decision.reply, `${request.provider}-${n}`));
  };

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wantedPort, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    ledger: ledger.entries,
    control,
    summary,
    waitFor: (condition) => ledger.waitFor(condition),
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => {
          ledger.close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Everything that is not a provider: `_ledger`, `_summary`, `_control`. */
function inspect(request: SimRequest, ledger: Ledger, summary: () => LedgerSummary, control: Control): Reply {
  const { method, path, body } = request;
  if (method === 'GET' && path === '/_ledger') {
    const lines = ledger.entries.map((one) => `${JSON.stringify(one)}\n`).join('');
    return { status: 200, headers: [['content-type', 'application/x-ndjson']], body: lines, delivery: 'whole' };
  }
  if (method === 'GET' && path === '/_summary') return jsonReply(200, JSON.parse(JSON.stringify(summary())));
  if (method !== 'POST' || path !== '/_control') {
    const message = `got ${method} ${path}, expected GET /_ledger, GET /_summary or POST /_control`;
    return errorReply(404, 'unknown_path', message);
  }
  try {
    runCommand(control, body);
    return jsonReply(200, { ok: true });
  } catch (error) {
    return errorReply(400, 'invalid_command', error instanceof Error ? error.message : String(error));
  }
}

function nobody(request: SimRequest): Decision {
  const facts = { inFlight: 0, admitted: false, verdict: 'unknown_path', charged: false, price: 0 } as const;
  const decided = { ...facts, billingKey: billingKey(request) };
  return { facts: decided, reply: unknownPath(request), latencyMs: 0, settle: () => undefined };
}

const withRequestId = (reply: Reply, id: string): Reply => ({
  ...reply,
  headers: [...reply.headers, ['x-request-id', id]],
});

function entry(n: number, request: SimRequest, instant: Instant, { facts, reply }: Decision): LedgerEntry {
  const { provider, method, path, input, idempotencyKey } = request;
  const status = reply.delivery === 'whole' || reply.delivery === 'cut' ? reply.status : null;
  const when = { arrivedAtMs: instant.monotonicMs, arrivedAtWallMs: instant.wallMs };
  return { n, provider, ...when, method, path, input, idempotencyKey, ...facts, status };
}
