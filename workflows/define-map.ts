// Maps written in TypeScript: `defineMap('name', async (row, ctx) => cells)`, and the registry that mapRow runs them from.
import type { Json, Receipt, StoredValue } from '../contracts/outcomes';

/** Answer of `ctx.tool`. A documented miss is `{ missed: true, value: null }`; a value over 256 KB is a reference. */
export interface ToolAnswer {
  value: Json | StoredValue;
  missed: boolean;
  receipt: Receipt;
}

export interface ToolOptions {
  /** Account of the provider; left out: `default`, or the only one it has. */
  account?: string;
  /** Column under which the call is counted; the tool's name when left out. */
  column?: string;
  /** A shared answer that is older than this is bought anew; 0 = always. Left out: as the tool says. */
  maxAgeSeconds?: number;
}

/**
 * What a row program may use. Everything else of `@temporalio/workflow` works too: it is ordinary workflow code. A promise of
 * `ctx` may be dropped; an async function of your own that nobody awaits must not throw, since nobody could turn that into a row's error.
 */
export interface RowContext {
  /**
   * Calls a tool. A provider's 429 or a closed gate only makes this await longer. Throws {@link ToolCallError} when the
   * call has truly failed, CancelledFailure when the row is cancelled.
   */
  tool(name: string, input: Json, options?: ToolOptions): Promise<ToolAnswer>;
  /** Durable sleep in milliseconds. */
  sleep(durationMs: number): Promise<void>;
  /** Logged by the worker, once, also when the workflow is replayed. */
  log(message: string, attributes?: { [name: string]: Json }): void;
  run: { id: string; map: string };
  row: { identity: string; ordinal: number };
}

/** A row's authored columns in, its cells out: each name becomes a column of the table, `undefined` is left out. */
export type RowProgram = (
  row: { [column: string]: Json },
  ctx: RowContext,
) => Promise<{ [column: string]: Json | StoredValue | undefined }>;

const maps = new Map<string, RowProgram>();

/** Registers a map under the name that a spec's `map:` takes. Import its file in workflows/maps/index.ts. */
export function defineMap(name: string, program: RowProgram): RowProgram {
  if (maps.has(name)) throw new Error(`a map named ${name} is defined twice`);
  maps.set(name, program);
  return program;
}

/** Names of all maps of this worker, sorted; admission knows them from here. */
export const definedMapNames = (): string[] => [...maps.keys()].sort();

export const definedMap = (name: string): RowProgram | undefined => maps.get(name);
