// Changes providers while they run: by method in-process, by `POST /_control` from anywhere else.
import { z } from 'zod';
import { closingSchema, faultSchema, jobsSchema, parseOptions, windowSchema } from './options';
import type { SimProvider } from './provider';

const limitsSchema = z.strictObject({
  windows: z.array(windowSchema).optional(),
  /** null = no limit. */
  concurrency: z.int().positive().nullable().optional(),
});
const faultsSchema = z.array(faultSchema);
const provider = z.string();

/** Body of `POST /_control`. */
const commandSchema = z.discriminatedUnion('action', [
  closingSchema.extend({ action: z.literal('close'), provider }),
  z.strictObject({ action: z.literal('open'), provider }),
  limitsSchema.extend({ action: z.literal('setLimits'), provider }),
  z.strictObject({ action: z.literal('setFaults'), provider, faults: faultsSchema }),
  z.strictObject({ action: z.literal('setJobs'), provider, jobs: jobsSchema }),
]);
export type Command = z.input<typeof commandSchema>;

/** All of these take effect with the next arrival, and throw an Error that names the option or the unknown provider. */
export interface Control {
  /** Closes from now on; returns the number that the ledger shows for it. */
  close(provider: string, closing: z.input<typeof closingSchema>): number;
  /** Ends every closing that has begun. */
  open(provider: string): void;
  /** Replaces the limits that are given; requests admitted before still count. */
  setLimits(provider: string, limits: z.input<typeof limitsSchema>): void;
  /** Replaces all fault rules. */
  setFaults(provider: string, faults: z.input<typeof faultsSchema>): void;
  /** Replaces how jobs run; those that run already too, unless they were given up. */
  setJobs(provider: string, jobs: z.input<typeof jobsSchema>): void;
}

export function createControl(providers: ReadonlyMap<string, SimProvider>, monotonicMs: () => number): Control {
  const find = (name: string): SimProvider => {
    const found = providers.get(name);
    if (found) return found;
    throw new Error(`provider: got ${JSON.stringify(name)}, expected one of ${[...providers.keys()].join(', ')}`);
  };
  return {
    close: (name, closing) => find(name).closings.close(parseOptions(closingSchema, closing, 'closing'), monotonicMs()),
    open: (name) => find(name).closings.open(monotonicMs()),
    setLimits: (name, limits) => {
      const { windows, concurrency } = parseOptions(limitsSchema, limits, 'limits');
      const found = find(name);
      if (windows) found.windows = windows;
      if (concurrency !== undefined) found.concurrency = concurrency ?? undefined;
    },
    setFaults: (name, faults) => {
      find(name).faults = parseOptions(faultsSchema, faults, 'faults');
    },
    setJobs: (name, jobs) => {
      find(name).jobs.options = parseOptions(jobsSchema, jobs, 'jobs');
    },
  };
}

/** Runs the JSON text of one command. @throws Error that says what is wrong with it */
export function runCommand(control: Control, text: string): void {
  const { provider: name, ...command } = parseOptions(commandSchema, JSON.parse(text), 'command');
  const { action, ...rest } = command;
  if (action === 'open') control.open(name);
  else if ('durationMs' in rest) control.close(name, rest);
  else if ('faults' in rest) control.setFaults(name, rest.faults);
  else if ('jobs' in rest) control.setJobs(name, rest.jobs);
  else control.setLimits(name, rest);
}
