// The two clocks of an activity, handed in: instants of the outside are wall clock, waits are counted on the monotonic one.

export interface Clock {
  /** Milliseconds since 1970; may step. */
  wallMs(): number;
  /** Milliseconds that never step back. */
  monotonicMs(): number;
}

export const systemClock: Clock = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };
