// Beats while a long piece of local work runs, so that a lost worker is noticed and the work starts anew elsewhere.
import { Context } from '@temporalio/activity';
import { HEARTBEAT_EVERY_MS } from '../contracts/limits';

export async function withHeartbeat<Result>(work: () => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), HEARTBEAT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
