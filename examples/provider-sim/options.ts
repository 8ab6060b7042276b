// What a simulator can be told: zod schemas, the only place that names an option, its unit and its default.
import { z } from 'zod';

/** How a refusal says when to come back; `zero` and `none` are the unhelpful ones, `several-lines` sends an earlier hint first. */
export const RETRY_STYLES = [
  'seconds',
  'http-date',
  'ms-header',
  'reset-epoch',
  'body',
  'none',
  'zero',
  'several-lines',
] as const;

/** What goes wrong with one admitted request. `before` and `after` say whether it was charged; the last group answers in full. */
export const FAULT_KINDS = [
  'error-before-charge',
  'error-after-charge',
  'reset-before-charge',
  'reset-after-charge',
  'hang-before-charge',
  'hang-after-charge',
  'in-progress-after-charge',
  'cut-body',
  'wrong-content-type',
  'malformed-json',
  'miss',
  'needs-credits',
] as const;

const retryStyleSchema = z.enum(RETRY_STYLES);

/** At most `limit` admitted requests, or tokens of them, in any `perMs` milliseconds, judged on arrival. */
export const windowSchema = z.strictObject({
  limit: z.int().positive(),
  perMs: z.number().positive(),
  unit: z.enum(['requests', 'tokens']).exactOptional(),
});

/** A time in which every request is refused. `hintMs` is what the refusal says when it is not the truth. */
export const closingSchema = z.strictObject({
  durationMs: z.number().positive(),
  status: z.union([z.literal(429), z.literal(503)]).default(429),
  style: retryStyleSchema.optional(),
  hintMs: z.number().nonnegative().optional(),
});

/** A closing with its trigger: the arrival with this number (from 1, it is refused itself), or a time after the first arrival. */
const scheduledClosingSchema = closingSchema
  .extend({ atRequest: z.int().positive().optional(), afterMs: z.number().nonnegative().optional() })
  .refine((closing) => (closing.atRequest === undefined) !== (closing.afterMs === undefined), {
    message: 'expected exactly one of atRequest, afterMs',
  });

/**
 * When a fault strikes an admitted request: at a seeded share of the tries (0 to 1), at these admitted requests (from 1),
 * or for inputs with one of these values. `times`: only the first tries of each input.
 */
export const faultSchema = z
  .strictObject({
    kind: z.enum(FAULT_KINDS),
    rate: z.number().min(0).max(1).optional(),
    requests: z.array(z.int().positive()).optional(),
    inputs: z.array(z.string()).optional(),
    times: z.int().positive().optional(),
  })
  .refine((rule) => [rule.rate, rule.requests, rule.inputs].filter((given) => given !== undefined).length === 1, {
    message: 'expected exactly one of rate, requests, inputs',
  });

const latencySchema = z
  .strictObject({ minMs: z.number().nonnegative(), maxMs: z.number().nonnegative() })
  .refine((range) => range.minMs <= range.maxMs, { message: 'expected minMs <= maxMs' });

/** How the jobs of a provider run: for how long, for which inputs they fail, and what their answers say about the next poll. */
export const jobsSchema = z.strictObject({
  durationMs: z.number().nonnegative().default(2000),
  failingInputs: z.array(z.string()).default([]),
  /** Retry-After of the answers to a start and to polls of a running job. */
  retryAfterSeconds: z.int().nonnegative().optional(),
});

export const providerSchema = z.strictObject({
  /** Expected as `Authorization: Bearer <secret>`; without it everybody is let in. */
  secret: z.string().min(1).optional(),
  /** Charged for each answer. */
  price: z.number().nonnegative().default(0),
  /** Share of inputs without an answer, by a hash of the input. */
  missRate: z.number().min(0).max(1).default(0.08),
  chargeMisses: z.boolean().default(false),
  /** Characters of filling in each answer, to try what large answers do. */
  answerFilling: z.int().nonnegative().default(0),
  /** Answers and charges one Idempotency-Key once. */
  idempotency: z.boolean().default(true),
  windows: z.array(windowSchema).default([]),
  /** Admitted requests under way at the same time. */
  concurrency: z.int().positive().optional(),
  retryStyle: retryStyleSchema.default('seconds'),
  /** Time from admission to the answer. */
  latencyMs: z.union([z.number().nonnegative(), latencySchema]).default(0),
  closings: z.array(scheduledClosingSchema).default([]),
  faults: z.array(faultSchema).default([]),
  jobs: jobsSchema.prefault({}),
});

export const PROVIDER_NAME = /^[a-z][a-z0-9-]*$/;

export const simSchema = z.strictObject({
  /** Decides every random draw: the same seed gives the same faults for the same inputs. */
  seed: z.int().default(1),
  /** 0 takes a free port. */
  port: z.int().min(0).max(65_535).default(0),
  /** JSON Lines file that each request is appended to before its answer leaves. */
  ledgerFile: z.string().min(1).optional(),
  /** By name; the name is the first part of the path. */
  providers: z.record(z.string().regex(PROVIDER_NAME), providerSchema),
});

/** The value by the schema, defaults filled in. @throws Error that names `what` and lists every problem by its path */
export function parseOptions<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`${what} is not valid\n${z.prettifyError(parsed.error)}`);
}

export type RetryStyle = z.output<typeof retryStyleSchema>;
export type FaultKind = (typeof FAULT_KINDS)[number];
export type Window = z.output<typeof windowSchema>;
export type Closing = z.output<typeof closingSchema>;
export type ScheduledClosing = z.output<typeof scheduledClosingSchema>;
export type FaultRule = z.output<typeof faultSchema>;
export type JobOptions = z.output<typeof jobsSchema>;
export type ProviderOptions = z.output<typeof providerSchema>;
export type SimOptions = z.input<typeof simSchema>;
