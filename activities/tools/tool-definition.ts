// What the author of a code tool writes: its facts, two schemas, and a run; or, for a job, a start and what asks for it.
import type { z } from 'zod';
import type { Units } from '../../contracts/gate';
import type { SecretReference } from '../../contracts/schemas/secret-reference';
import type { CodeToolContext, JobRules } from './tool';

interface DefinedFacts<Input extends z.ZodType, Output extends z.ZodType> {
  /** Second part of the tool's name: `<provider>.<name>`. */
  name: string;
  /** A provider that has a file (its limits and accounts then hold for this tool too); left out: `local`. */
  provider?: string;
  effect: 'read' | 'write';
  /** Units of the account's currency for one answer; 0 = free. */
  price: number;
  input: Input;
  output: Output;
  /** `all`: equal input is bought once for every row of every map, reads only; default `run`. */
  share?: 'run' | 'all';
  /** Shared answers older than this are bought anew; 0 = always, left out = any age will do. */
  maxAgeSeconds?: number;
  /** Change it whenever equal input may give another answer. */
  version: string;
  /** The provider charges one idempotency key once: the run, or the start, must send `context.idempotencyKey`. */
  idempotent: boolean;
  /** Of one run, start, poll or other request, 1 to 3,600,000; default 30,000. */
  timeoutMs?: number;
  /** What one call may use at most of the provider's limits in other units than requests, by unit; needed where it has such limits. */
  units?: (input: z.output<Input>) => Units;
  /** Further secrets, by the name that `context.secret` takes. */
  secrets?: { [name: string]: SecretReference };
}

export interface CallDefinition<Input extends z.ZodType, Output extends z.ZodType> extends DefinedFacts<Input, Output> {
  kind?: 'call';
  /** May throw Throttled, InProgress, Missed and Rejected of tool-errors.ts; anything else counts as a bug of the tool. */
  run(input: z.output<Input>, context: CodeToolContext): Promise<z.input<Output>>;
}

/** What a start answers. `pollAtMs`: local wall clock; the first poll comes at `pollEveryMs`, and not before this. */
export interface StartedJob {
  /** Whatever the other functions need to find the job again: it is all of the start that they get. */
  id: string;
  pollAtMs?: number;
}

/** A job that was started, as its requests get it. `startedAtMs`: wall clock. `polls`: sent so far. */
export interface RunningJob<Input> {
  id: string;
  input: Input;
  startedAtMs: number;
  polls: number;
}

/** What a poll answers. `detail`: for people who look at the history. A value is left out where `result` fetches it. */
export type JobStatus<Value> =
  | { status: 'running'; pollAtMs?: number; detail?: string }
  | { status: 'succeeded'; value?: Value }
  | { status: 'failed'; message: string };

/** The key is the start's alone. */
export type JobContext = Omit<CodeToolContext, 'idempotencyKey'>;

/**
 * A tool whose calls are jobs. Each function sends one request and returns: the waits between them are durable timers, and after a
 * loss any worker goes on with the id that `start` gave. All may throw what a run may; what else a poll throws is asked again until
 * the deadline.
 */
export interface JobDefinition<Input extends z.ZodType, Output extends z.ZodType>
  extends DefinedFacts<Input, Output>,
    Partial<Pick<JobRules, 'pollEveryMs' | 'deadlineMs' | 'charged'>> {
  kind: 'job';
  /** Starts the job, or finds the one that was started under this key. */
  start(input: z.output<Input>, context: CodeToolContext): Promise<StartedJob>;
  poll(job: RunningJob<z.output<Input>>, context: JobContext): Promise<JobStatus<z.input<Output>>>;
  /** Fetches the result of a job that has succeeded; left out: the poll that says so has it. */
  result?(job: RunningJob<z.output<Input>>, context: JobContext): Promise<z.input<Output>>;
  /** Gives the job up; left out: a job that nobody wants any more runs on. Throws when the provider did not give it up. */
  cancel?(job: RunningJob<z.output<Input>>, context: JobContext): Promise<void>;
}

export type ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> =
  | CallDefinition<Input, Output>
  | JobDefinition<Input, Output>;
