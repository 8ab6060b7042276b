// One worker's calls to a real HTTP server on 127.0.0.1: real requests, reader, gate and dispatch; only the clock may be turned by hand.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { prepareHttp } from '../../activities/attempt-http';
import { createDispatch } from '../../activities/dispatch';
import type { DispatchDeps } from '../../activities/dispatch-state';
import { startHeart } from '../../activities/heart';
import { createHttpAgent } from '../../activities/http/http-agent';
import { profileOf, withRules } from '../../activities/http/profiles/registry';
import type { RawAnswer } from '../../activities/http/raw-answer';
import { sendOnce as sendRequest } from '../../activities/http/send';
import type { NextStep } from '../../activities/outcome';
import { createResidentTime } from '../../activities/resident-time';
import { sendOnce } from '../../activities/send-call';
import type { RunStore } from '../../activities/store/run-store';
import { createHttpTool } from '../../activities/tools/http-tool';
import type { HttpTool } from '../../activities/tools/tool';
import { createToolRegistry } from '../../activities/tools/tool-registry';
import { type CallOutcome, type Cursor, type DispatchInput, FIRST_CURSOR } from '../../contracts/outcomes';
import { parseProviderFile } from '../../contracts/schemas/provider-file';
import { type GateClock, systemClock } from '../../worker/gates/clock';
import { ProviderGate } from '../../worker/gates/gate';
import type { AnswerCase } from '../activities/http/case-table';
import { inCall } from '../helpers/activity-context';
import { ManualClock } from '../worker/gates/manual-clock';

export type Answering = (response: ServerResponse, number: number, request: IncomingMessage) => void;

export interface LabSettings {
  /** What the server does with each request, its number from 1; default the answer of the case, always. */
  answer?: Answering;
  /** Default: one that is turned by hand and begins at the case's `observedAt`. */
  clock?: GateClock;
  /** Most connections to the server; default as many as there are requests. */
  connections?: number;
  timeout?: string;
  concurrency?: number;
  /** Draws of the jitter, in [0, 1); default 0. */
  random?: () => number;
}

const ACCOUNTS = ['one', 'two'] as const;
const NEVER = new AbortController().signal;

/** Answers what the case says, once its body is read. */
export function answerOfCase(one: AnswerCase): Answering {
  const { status, headers, body } = one.response;
  return (response, _number, request) => {
    request.resume().once('end', () => response.writeHead(status ?? 200, headers).end(body));
  };
}

export const ok: Answering = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}');

/** A worker that calls the provider of the case: tools `other.call` of the case's kind, and `other.read`, on the accounts `one` and `two`. */
export class CallLab {
  readonly requests: IncomingMessage[] = [];
  readonly sockets: Socket[] = [];
  /** How each request ended on the wire. */
  readonly raws: RawAnswer[] = [];
  readonly clock: GateClock;
  private readonly agent;
  private readonly gates = new Map<string, ProviderGate>();
  private known: DispatchDeps | null = null;
  private constructor(
    private readonly server: Server,
    private readonly one: AnswerCase,
    private readonly settings: LabSettings,
  ) {
    this.clock = settings.clock ?? clockAt(one.observedAt);
    this.agent = createHttpAgent(settings.connections ? { connectionsPerOrigin: settings.connections } : {});
  }

  static async open(one: AnswerCase, settings: LabSettings = {}): Promise<CallLab> {
    const answer = settings.answer ?? answerOfCase(one);
    const server = createServer((request, response) => {
      lab.requests.push(request);
      answer(response, lab.requests.length, request);
    });
    const lab = new CallLab(server, one, settings);
    server.on('connection', (socket: Socket) => lab.sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return lab;
  }

  async close(): Promise<void> {
    await this.agent.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** The clock, where it is turned by hand. */
  get hand(): ManualClock {
    if (this.clock instanceof ManualClock) return this.clock;
    throw new TypeError('this lab runs on the clock of the system');
  }

  gate(account: string = ACCOUNTS[0]): ProviderGate {
    const known = this.gates.get(account);
    if (known) return known;
    const { concurrency = 10, random = () => 0 } = this.settings;
    const declared = { provider: 'other', account, rate: [], concurrency, giveUpAfterMs: 86_400_000 };
    const gate = new ProviderGate(declared, this.clock, random);
    this.gates.set(account, gate);
    return gate;
  }

  /** The gate of a worker that has just been started takes the place of this one. */
  restart(gate: ProviderGate): void {
    this.gates.set(ACCOUNTS[0], gate);
  }

  /** The whole activity: permit, request, waits of at most 5 s, and what goes back to the workflow. */
  dispatch(change: Partial<DispatchInput> = {}): Promise<CallOutcome> {
    return inCall(() => createDispatch(this.deps())(dispatchInput(change)));
  }

  /** One request as soon as the gate of the account gives a permit, however long that takes on the clock; null when it gives none. */
  async send(
    cursor: Cursor = FIRST_CURSOR,
    signal: AbortSignal = NEVER,
    onPermit?: () => void,
  ): Promise<NextStep | null> {
    const answer = await this.gate().acquire({ endpoint: 'other.call', maxWaitMs: Number.MAX_SAFE_INTEGER, signal });
    if (answer.kind !== 'permit') return null;
    onPermit?.();
    try {
      return await inCall(async (context) => {
        const heart = startHeart(context, false);
        const dispatch = {
          deps: this.deps(),
          input: dispatchInput({ cursor }),
          tool: this.tool('call'),
          price: this.tool('call').price,
          gate: this.gate(),
          heart,
          resident: createResidentTime(this.clock),
          halted: signal,
          cancelled: signal,
        };
        return sendOnce(dispatch, answer.permit, cursor).finally(heart.stop);
      });
    } finally {
      answer.permit.release();
    }
  }

  private url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private tool(name: string): HttpTool {
    return this.deps().tools.get(`other.${name}`) as HttpTool;
  }

  private provider() {
    const { request, provider, context = {} } = this.one;
    const keyed = context.idempotencyKey !== undefined;
    const isRead = request.idempotent && !keyed;
    const facts = {
      effect: isRead ? 'read' : 'write',
      version: '1',
      price: isRead ? 0 : 0.01,
      timeout: this.settings.timeout ?? '60s',
    };
    const call = { ...facts, request: { method: request.method, path: '/call' } };
    const raw = {
      provider: 'other',
      baseUrl: this.url(),
      throttle: { profile: provider },
      ...(keyed ? { idempotency: { header: 'Idempotency-Key' } } : {}),
      tools: { call, read: { ...call, request: { method: request.method, path: '/read' } } },
    };
    const reading = parseProviderFile(raw, 'other.provider.yaml');
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const { file } = reading;
    const tools = Object.entries(file.tools).map(([name, spec]) => createHttpTool(file, name, spec, this.url()));
    return { path: 'other.provider.yaml', file, tools };
  }

  private deps(): DispatchDeps {
    this.known ??= this.compose();
    return this.known;
  }

  private compose(): DispatchDeps {
    const { clock, agent } = this;
    const registry = createToolRegistry({ providers: [this.provider()], codeTools: [] });
    const facts = registry.providers()[0]!;
    const http = {
      send: async (request: Parameters<typeof sendRequest>[0]) => {
        const raw = await sendRequest(request, {
          agent,
          nowMs: () => clock.wallMs(),
          monotonicMs: () => clock.monotonicMs(),
        });
        this.raws.push(raw);
        return raw;
      },
      readSecret: async () => null,
      profileOf: (tool: HttpTool) => withRules(profileOf(tool.throttle.profile), tool.throttle.rules),
      random: () => 0,
    };
    return {
      tools: { ...registry, providers: () => ACCOUNTS.map((account) => ({ ...facts, account })) },
      gateOf: (_provider, account) => this.gate(account),
      prepareOf: (tool) => prepareHttp(tool as HttpTool, http),
      store: { readManifest: async () => ({}) } as unknown as RunStore,
      clock,
      stopping: NEVER,
      reach: () => undefined,
      tellCallEvent: () => undefined,
    };
  }
}

/** On the clock of the system: for calls that wait inside their activity. */
export const ON_SYSTEM_CLOCK: LabSettings = { clock: systemClock };

function clockAt(instant: string): ManualClock {
  const clock = new ManualClock();
  clock.stepWall(Date.parse(instant) - clock.wallMs());
  return clock;
}

function dispatchInput(change: Partial<DispatchInput>): DispatchInput {
  return {
    mapId: 'm',
    rowIdentity: 'k:1',
    column: 'c',
    tool: 'other.call',
    account: ACCOUNTS[0],
    input: {},
    toolVersion: '1',
    admittedByRunId: 'run',
    occurrence: 0,
    cursor: FIRST_CURSOR,
    cancelGraceMs: 0,
    row: { workflowId: 'm/r/k:1', runId: 'run' },
    ...change,
  };
}
