// The composition root: what the activities of this process are built from.
import { Context } from '@temporalio/activity';
import type { ActivityDeps } from '../activities';
import { systemClock } from '../activities/clock';
import type { ReachCrashPoint } from '../activities/crash-points';
import { createHttpAgent } from '../activities/http/http-agent';
import { profileOf, withRules } from '../activities/http/profiles/registry';
import type { SendRequest } from '../activities/http/raw-answer';
import { sendOnce } from '../activities/http/send';
import { createPrepare } from '../activities/prepare-call';
import { createLocalRunStore } from '../activities/store/local-run-store';
import { createPostgresRunStore } from '../activities/store/postgres-run-store';
import type { RunStore } from '../activities/store/run-store';
import type { DefinedTool } from '../activities/tools/define-tool';
import { loadProviderFiles } from '../activities/tools/load-provider-files';
import { codeTools as registeredTools } from '../activities/tools/registry';
import { resolveSecret } from '../activities/tools/secrets';
import type { HttpTool, Tool } from '../activities/tools/tool';
import { SecretUnavailable } from '../activities/tools/tool-errors';
import { createToolRegistry } from '../activities/tools/tool-registry';
import { createCallEvents } from './call-events';
import type { WorkerConfig } from './config';
import { createGates, type Gates } from './gates/gates';

export interface Composition {
  deps: ActivityDeps;
  gates: Gates;
  /** Longest time-out of any tool, in milliseconds: what a shutdown has to wait for. */
  longestToolTimeoutMs: number;
  close(): Promise<void>;
}

/** Ends the process at the wanted point, as hard as a power cut: only for crash tests. */
function crashPointReacher({ crashAt }: WorkerConfig): ReachCrashPoint {
  let reached = 0;
  return (point) => {
    if (point !== crashAt?.point) return;
    reached += 1;
    if (reached === crashAt.nth) process.kill(process.pid, 'SIGKILL');
  };
}

function secretReader(tool: HttpTool, account: string): Promise<string | null> {
  const reference = tool.secretOf(account);
  return reference === null ? Promise.resolve(null) : resolveSecret(reference);
}

function openRunStore({ runStoreUrl, runStoreRoot }: WorkerConfig): { store: RunStore; close(): Promise<void> } {
  if (runStoreUrl === null) return { store: createLocalRunStore({ root: runStoreRoot }), close: async () => undefined };
  const store = createPostgresRunStore({ url: runStoreUrl, localRoot: runStoreRoot });
  return { store, close: () => store.close() };
}

/** Loads provider files and wires everything. Throws ProviderFileError with every problem of all files. `codeTools`: default those of the registry. */
export async function compose(
  config: WorkerConfig,
  stopping: AbortSignal,
  codeTools: readonly DefinedTool[] = registeredTools,
): Promise<Composition> {
  const providers = await loadProviderFiles({ folder: config.providersFolder });
  const tools = createToolRegistry({ providers, codeTools });
  const gates = createGates(tools.providers());
  const agent = createHttpAgent();
  const { store, close: closeStore } = openRunStore(config);
  const http = {
    send: (request: SendRequest) =>
      sendOnce(request, { agent, nowMs: systemClock.wallMs, monotonicMs: systemClock.monotonicMs }),
    readSecret: secretReader,
    profileOf: (tool: HttpTool) => withRules(profileOf(tool.throttle.profile), tool.throttle.rules),
    random: Math.random,
  };
  const code = {
    clock: systemClock,
    log: {
      info: (message: string) => Context.current().log.info(message),
      warn: (message: string) => Context.current().log.warn(message),
    },
    async readSecret(tool: Extract<Tool, { kind: 'code' }>, name: string, account: string): Promise<string> {
      const reference = tool.secretReference(name, account);
      if (reference) return resolveSecret(reference);
      throw new SecretUnavailable(`the tool ${tool.name} declares no secret ${name}`);
    },
  };
  return {
    gates,
    longestToolTimeoutMs: Math.max(0, ...tools.names().map((name) => tools.get(name)?.timeoutMs ?? 0)),
    close: async () => {
      await Promise.all([agent.close(), closeStore()]);
    },
    deps: {
      tools,
      gateOf: (provider, account) => gates.account(provider, account),
      prepareOf: createPrepare({ http, code }),
      store,
      dataRoot: config.dataRoot,
      privateHosts: config.privateHosts,
      timing: {
        heartbeatTimeoutMs: config.heartbeatTimeoutMs,
        parkedAfterMs: config.parkedAfterMs,
        joinAgainMs: config.joinAgainMs,
      },
      sizes: { pageRows: config.pageRows, sectionPages: config.sectionPages },
      clock: systemClock,
      stopping,
      reach: crashPointReacher(config),
      tellCallEvent: createCallEvents(),
    },
  };
}
