// What a tool is to the worker: facts that plans and gates need, and one of two ways to call it.
import type { Units } from '../../contracts/gate';
import type { JobState } from '../../contracts/job';
import type { Json } from '../../contracts/outcomes';
import type { SecretReference } from '../../contracts/schemas/secret-reference';
import type { ProfileRule } from '../http/profiles/profile';

/** Facts of every tool, whatever its kind. Nothing here is secret. */
export interface ToolFacts {
  /** `<provider>.<tool>`, as specs and row programs name it. */
  name: string;
  provider: string;
  /** At least one; a provider without secrets has `default`. */
  accounts: readonly string[];
  /** Declared, or a digest of request, response and idempotency rules; never of limits, price, time-outs or secrets. */
  version: string;
  effect: 'read' | 'write';
  /** Units of the account's currency for one answer; 0 = free. */
  price: number;
  /** Who may reuse an answer: every row of every map, or the row of the map that bought it. */
  share: 'run' | 'all';
  /** Shared answers older than this are bought anew; null = any age will do. */
  maxAgeSeconds: number | null;
  /** The provider charges one idempotency key once. */
  idempotent: boolean;
  timeoutMs: number;
  /** What one call may use at most of limits in other units than requests. Throws a RequestInvalid (REQUEST_INVALID) when that is no number. */
  unitsOf(input: Json): Promise<Units>;
  /** Of the provider: without any success for this long its account is given up, and no hold is longer. */
  giveUpAfterMs: number;
}

/** One request, ready to send. `secretHeaders`: names of those `headers` whose values are never shown, logged or stored. */
export interface ToolRequest {
  method: string;
  url: string;
  headers: { [name: string]: string };
  secretHeaders: readonly string[];
  /** JSON text. */
  body?: string;
}

export interface RequestContext {
  /** Secret of the account, null for an account without one. */
  secret: string | null;
  /** Sent in the provider's idempotency header when it has one. */
  idempotencyKey: string | null;
  baseUrl: string;
  /** The job that the request is about. */
  job?: JobState;
}

/** An answer as it arrived: header names in lower case, the body as JSON when it is JSON, else as text. */
export interface ToolAnswer {
  status: number;
  headers: { [name: string]: string };
  body: Json;
  input: Json;
}

/** `invalid`: neither a value nor a documented miss; for a status outside 2xx the caller's classification says what it is. */
export type ReadValue = { kind: 'value'; value: Json } | { kind: 'missed' } | { kind: 'invalid'; message: string };

/** A tool that a provider file describes. */
export interface HttpTool extends ToolFacts {
  kind: 'http';
  /** Resolved at the worker's start, without a trailing slash. */
  baseUrl: string;
  throttle: { profile: string; rules: readonly ProfileRule[] };
  /** Where the account's secret lies; null for an account without one. Throws for an unknown account. */
  secretOf(account: string): SecretReference | null;
  /** Throws a RequestInvalid (REQUEST_INVALID) when the input gives no legal request. */
  buildRequest(input: Json, context: RequestContext): Promise<ToolRequest>;
  readValue(answer: ToolAnswer): Promise<ReadValue>;
  /** The id that the provider knows the request by, when the file says where it stands. */
  readRequestId(answer: ToolAnswer): Promise<string | null>;
  /** What the call has used, of each unit that the answer tells; null when no answer of this tool does. */
  readUsed: ((answer: ToolAnswer) => Promise<Units>) | null;
  /** Null for a tool whose answer is the answer of the call. */
  job: HttpJob | null;
}

/** What an answer says about a job. `waitIsOurs`: its Retry-After speaks of this job's next poll. `pollAtMs`: as that, said by code. */
export type JobReading = { waitIsOurs: boolean; pollAtMs?: number } & (
  | { says: 'started'; id: string; address?: string }
  | { says: 'running'; shown: string }
  | { says: 'failed'; shown: string }
  /** `answer`: the result, where the poll has it. */
  | { says: 'succeeded'; answer?: ReadValue }
);

/** How the calls of a tool run as jobs, whoever writes its requests. */
export interface JobRules {
  pollEveryMs: number;
  deadlineMs: number;
  charged: 'start' | 'success';
  canCancel: boolean;
}

export interface HttpJob extends JobRules {
  /**
   * The tool as it sends the next request of this job, null = its start. `tellsJob`: its `readValue` gives a {@link JobReading};
   * false for the fetch of a result, whose answer is that of the call, and for a cancel.
   */
  request(job: JobState | null): { tool: HttpTool; tellsJob: boolean };
}

export interface CodeJob extends JobRules {
  /** What runs for the next request of this job, null = its start. `tellsJob`: as in {@link HttpJob}, of what it answers. */
  request(job: JobState | null): { execute: CodeTool['execute']; tellsJob: boolean };
}

/** What a code tool's run may use. */
export interface CodeToolContext {
  /** Aborted on cancel and at the tool's time-out: pass it to every request. */
  signal: AbortSignal;
  idempotencyKey: string;
  /** A secret by the name the tool declares it under, or `account` for the account's own; throws SECRET_UNAVAILABLE. */
  secret(name: string): Promise<string>;
  log: { info(message: string): void; warn(message: string): void };
}

/** A tool that is written in TypeScript with `defineTool`. Its run may throw the errors of tool-errors.ts. */
export interface CodeTool extends ToolFacts {
  kind: 'code';
  /** Where the secret of this name lies: one that the tool declares, or `account` for the account's own; null = there is none. */
  secretReference(name: string, account: string): SecretReference | null;
  /** Checks the input (REQUEST_INVALID) and the value (RESPONSE_INVALID) against the tool's schemas around its run. */
  execute(input: Json, context: CodeToolContext): Promise<Json>;
  /** A value that came another way, as `execute` would have answered it. Throws RESPONSE_INVALID. */
  checkValue(value: unknown): Json;
  /** Null for a tool whose run gives the answer of the call. */
  job: CodeJob | null;
}

export type Tool = HttpTool | CodeTool;
