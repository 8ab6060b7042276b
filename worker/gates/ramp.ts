// How many calls may be in flight after a reopening, pure: one probe, then 1, 2, 4, … with each round trip, until the normal number is reached.

/** Calls sent since the reopening that may be in flight together; null = no restriction. */
export type Ramp = number | null;

/** Right after a reopening: a single call finds out whether the provider lets us in. */
export const PROBE: Ramp = 1;

/** Each success lets one more in, which doubles the number in each round trip; from `normal` on the ramp is over. */
export function rampAfterSuccess(ramp: Ramp, normal: number): Ramp {
  if (ramp === null) return null;
  return ramp + 1 >= normal ? null : ramp + 1;
}
