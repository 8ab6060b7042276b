// A TCP proxy on loopback in front of a database, which passes a statement on and loses its answer together with the connection.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface LossyProxy {
  /** The same URL through the proxy. */
  through(url: string): string;
  close(): Promise<void>;
}

/** `isLost` sees everything that a client sends; after what it wants to lose both sides are closed as soon as the server has answered. */
export async function openLossyProxy(port: number, isLost: (sent: Buffer) => boolean): Promise<LossyProxy> {
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    let losing = false;
    const end = () => {
      for (const side of [near, far]) {
        side.destroy();
        sockets.delete(side);
      }
    };
    near.on('data', (chunk: Buffer) => {
      losing = isLost(chunk) || losing;
      far.write(chunk);
    });
    far.on('data', (chunk: Buffer) => (losing ? end() : near.write(chunk)));
    for (const side of [near, far]) sockets.add(side.on('error', end).on('close', end));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const own = (proxy.address() as AddressInfo).port;
  return {
    through: (url) => url.replace(`:${port}/`, `:${own}/`),
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
