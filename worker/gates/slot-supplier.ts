// Task slots of one provider account: the worker polls its queue only while the gate would send what comes.
import type { ActivitySlotInfo, CustomSlotSupplier, SlotPermit } from '@temporalio/worker';

/** What a supplier needs of a gate. */
export interface SlotSource {
  slots(): number;
  slotsChanged(signal: AbortSignal): Promise<void>;
  lookAgain(): void;
}

/**
 * A supplier for the activity slots of one Worker. A reserved slot is not a used one: a poll may hold it for a minute without a task, and a task may arrive
 * after the gate closed. So slots are counted until they are released, none is taken back, and `Gate.acquire` decides again before anything is sent.
 */
export function createGateSlotSupplier(gate: SlotSource): CustomSlotSupplier<ActivitySlotInfo> {
  const issued = new Set<SlotPermit>();

  const issue = (): SlotPermit | null => {
    if (issued.size >= gate.slots()) return null;
    const permit: SlotPermit = {};
    issued.add(permit);
    return permit;
  };

  return {
    type: 'custom',
    async reserveSlot(_context, abortSignal) {
      for (;;) {
        // The SDK logs every other rejection as an error of the supplier.
        if (abortSignal.aborted) throw abortSignal.reason;
        const permit = issue();
        if (permit) return permit;
        await gate.slotsChanged(abortSignal);
      }
    },
    tryReserveSlot: issue,
    markSlotUsed() {},
    releaseSlot({ permit }) {
      issued.delete(permit);
      gate.lookAgain();
    },
  };
}
