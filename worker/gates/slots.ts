// How many task slots an account may have out, pure. A slot is taken before a poll and kept until the task has ended.

export interface SlotDemand {
  closed: boolean;
  /** Calls that may be in flight together, the ramp included; ≥ 0. */
  concurrency: number;
  /** Units that all windows admit within the slot horizon, from {@link Pacing.admits}; ≥ 0. */
  admitted: number;
  inFlight: number;
  /** Activities that sit out a wait: each keeps its slot and needs no concurrency meanwhile. */
  residentWaits: number;
}

/**
 * Slots that may be out at the same time, reserved ones that still poll included; an integer ≥ 0, at most twice the concurrency.
 * Calls in flight were taken from the windows already, so they come on top of what the windows admit: long calls must not starve a slow window.
 */
export function slotsFor(demand: SlotDemand): number {
  const { concurrency, admitted, inFlight } = demand;
  if (demand.closed || admitted === 0 || concurrency === 0) return 0;
  const useful = Math.max(1, Math.min(concurrency, Math.floor(inFlight + admitted)));
  return useful + Math.min(demand.residentWaits, concurrency);
}
