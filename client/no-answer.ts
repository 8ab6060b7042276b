// Why nobody answered a query of a map, told apart by who polls its queue.
import { duration } from './format';
import { livePollers } from './pollers';
import type { Server } from './server';

export interface NoAnswer {
  /** False when nobody is there to answer: then waiting for an answer is in vain. */
  workerSeen: boolean;
  message: string;
}

export async function whyNoAnswer(server: Server, mapId: string, nowMs: number): Promise<NoAnswer> {
  const pollers = await livePollers(server, nowMs);
  if (pollers.length === 0) {
    return {
      workerSeen: false,
      message: `no worker polls task queue "${server.taskQueue}", so nobody answers for ${mapId}; it waits, nothing is lost; start one: ./temporal-dev.sh worker`,
    };
  }
  const latest = Math.max(...pollers.map((poller) => poller.lastAccessMs));
  return {
    workerSeen: true,
    message: `${mapId} gave no answer yet; a worker polled ${duration(nowMs - latest)} ago, so it is starting, busy or just gone`,
  };
}
