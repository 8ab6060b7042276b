// The heartbeat of a call: beats every 2 s, and puts a sending mark on the server before anything that cannot be repeated leaves.
import type { Context } from '@temporalio/activity';
import { encodeToPayloads } from '@temporalio/common/lib/internal-non-workflow';
import { HEARTBEAT_EVERY_MS } from '../contracts/limits';
import type { Billing, SendingMark } from '../contracts/outcomes';

type HeartDetails = SendingMark | { phase: 'waiting' };

export interface Heart {
  /** Aborted once the server said that the call is cancelled. */
  cancelled: AbortSignal;
  /** Resolves once the server has the mark. Rejects when the server is away: then nothing may be sent. */
  markSending(billing: Billing): Promise<void>;
  /** The same for a call that may be sent again under its key: nobody waits for it. */
  noteSending(billing: Billing): void;
  /** A call under its key was answered, or its request charged nothing for certain. */
  noteAnswered(): void;
  /** Request that may be under way, or whose end nobody has looked at. */
  sending(): Billing | null;
  /** The request was answered or never left. A mark that cannot be taken back only makes a later loss `unknown`. */
  clearMark(): Promise<void>;
  stop(): void;
}

/**
 * Two ways to beat, because of how the SDK throttles: a beat of `Context.heartbeat` may leave 2 s later and would then
 * overwrite a newer mark. So while an unrepeatable call is not sent its beats are raw requests, one after the other;
 * with the mark standing every beat repeats it. Only the SDK's beats keep its own local time-out away from long requests.
 */
export function startHeart(context: Context, isUnrepeatable: boolean): Heart {
  const heard = new AbortController();
  let details: HeartDetails = { phase: 'waiting' };
  let last: Promise<void> = Promise.resolve();

  async function send(): Promise<void> {
    const { client, info } = context;
    const { cancelRequested } = await client.workflowService.recordActivityTaskHeartbeat({
      namespace: info.namespace,
      taskToken: info.taskToken,
      identity: client.options.identity,
      details: { payloads: (await encodeToPayloads(client.options.loadedDataConverter, details)) ?? [] },
    });
    if (cancelRequested) heard.abort(new Error('cancelled'));
  }
  function sendInOrder(): Promise<void> {
    const sent = last.then(send);
    last = sent.catch(() => undefined);
    return sent;
  }
  function beat(): void {
    if (!isUnrepeatable || details.phase === 'sending') context.heartbeat(details);
    else sendInOrder().catch(() => undefined); // the next beat tries again
  }

  const timer = setInterval(beat, HEARTBEAT_EVERY_MS);
  return {
    cancelled: AbortSignal.any([context.cancellationSignal, heard.signal]),
    async markSending(billing) {
      details = { phase: 'sending', billing };
      try {
        await sendInOrder();
      } catch (error) {
        details = { phase: 'waiting' }; // the server may have it all the same: the next beat takes it back
        throw error;
      }
    },
    noteSending(billing) {
      details = { phase: 'sending', billing };
      context.heartbeat(details);
    },
    noteAnswered() {
      details = { phase: 'waiting' };
      context.heartbeat(details);
    },
    sending: () => (details.phase === 'sending' ? details.billing : null),
    clearMark() {
      details = { phase: 'waiting' };
      return sendInOrder().catch(() => undefined);
    },
    stop: () => clearInterval(timer),
  };
}
