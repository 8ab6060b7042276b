// What one dispatch is made of, from its worker and from its call.
import type { DispatchInput } from '../contracts/outcomes';
import type { Prepare } from './attempt';
import type { TellCallEvent } from './call-events';
import type { Clock } from './clock';
import type { ReachCrashPoint } from './crash-points';
import type { Gate, GateLookup } from './gate-port';
import type { Heart } from './heart';
import type { ResidentTime } from './resident-time';
import type { RunStore } from './store/run-store';
import type { Tool } from './tools/tool';
import type { ToolRegistry } from './tools/tool-registry-types';

export interface DispatchDeps {
  tools: ToolRegistry;
  gateOf: GateLookup;
  prepareOf: (tool: Tool) => Prepare;
  store: RunStore;
  clock: Clock;
  /** Aborted when the worker is told to stop: calls that were not sent go back as holds (rule 11). */
  stopping: AbortSignal;
  reach: ReachCrashPoint;
  tellCallEvent: TellCallEvent;
}

/** One dispatch under way. */
export interface Dispatch {
  deps: DispatchDeps;
  input: DispatchInput;
  /** The costs of the request that it sends; of the answer it may be another `price`. */
  tool: Tool;
  price: number;
  gate: Gate | null;
  heart: Heart;
  resident: ResidentTime;
  /** The activity was cancelled, or the worker is stopping: nothing more is sent. */
  halted: AbortSignal;
  cancelled: AbortSignal;
}
