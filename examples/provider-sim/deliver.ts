// Puts a reply on the wire, or breaks the connection in the way that was decided.
import type { ServerResponse } from 'node:http';
import type { Reply } from './reply';

/** Resolves when the client's connection is over, whoever ended it. */
export function connectionClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once('close', resolve);
  });
}

/** Writes headers and body; a client that has gone away is no error. Returns the status that left, null for none. */
export function deliver(response: ServerResponse, reply: Reply): void {
  const { socket } = response;
  if (reply.delivery === 'hang' || !socket) return;
  if (reply.delivery === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  response.statusCode = reply.status;
  for (const [name, value] of reply.headers) response.appendHeader(name, value);
  response.setHeader('content-length', Buffer.byteLength(reply.body));
  if (reply.delivery === 'whole') response.end(reply.body);
  else response.write(reply.body.slice(0, Math.floor(reply.body.length / 2)), () => socket.destroy());
}
