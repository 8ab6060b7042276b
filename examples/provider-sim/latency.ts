// How long an admitted request takes.
import { draw } from './draw';
import type { ProviderOptions } from './options';

/** The fixed latency, or one within the range, decided by the seed and the request's number. */
export function latencyMs(options: ProviderOptions['latencyMs'], seed: string, requestNumber: number): number {
  if (typeof options === 'number') return options;
  return options.minMs + draw(seed, 'latency', requestNumber) * (options.maxMs - options.minMs);
}
