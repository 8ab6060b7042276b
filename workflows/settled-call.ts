// What a person said became of a call whose outcome nobody knew: this workflow is the record, and its result what all who ask the same find.
import { CancellationScope } from '@temporalio/workflow';
import { HEARTBEAT_TIMEOUT_MS } from '../contracts/limits';
import type { Settlement, SettlementInput } from '../contracts/settlement';
import { mapActivities } from './activity-proxies';

/**
 * Completes with the {@link Settlement}; its id is the billing request, so that it is settled once. Fails with SETTLEMENT_REFUSED
 * when the value is not what the tool promises: then it may be settled again. A cancel is ignored: it is done at once.
 */
export const settledCall = (input: SettlementInput): Promise<Settlement> =>
  CancellationScope.nonCancellable(() =>
    mapActivities(HEARTBEAT_TIMEOUT_MS).settleCall({ ...input, atMs: Date.now() }),
  );
