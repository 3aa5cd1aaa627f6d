import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * In each turn, the event loop takes one new connection from each socket that listens, but a request
 * from every connection it has. So with one socket and long turns, someone who connects waits behind
 * all who are connected: with turns of 50 ms, a hundred new connections waited for five seconds. With
 * this many sockets it is half a second.
 */
const SOCKETS = 32;
const BACKLOG = 1024;

type Address = { host: string; port: number };

/** Where the system lets several sockets listen on one port and shares connections between them. */
const canShare = process.platform === 'linux' || process.platform === 'freebsd';

const close = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));

async function listenOn(server: Server, address: Address, isShared: boolean): Promise<number> {
  server.listen({ ...address, backlog: BACKLOG, ...(isShared && { reusePort: true }) });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * Finds the port to listen on, and fails if another program has it. Sockets that share a port would
 * not notice that.
 */
export async function findPort(address: Address): Promise<number> {
  const probe = createServer();
  const port = await listenOn(probe, address, false);
  await close(probe);
  return port;
}

/**
 * Listens on several sockets where the system can do that; all of them belong to this server.
 * Returns how to close them and the server.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: Address,
): Promise<() => Promise<void>> {
  if (!canShare) {
    await app.listen({ host, port, backlog: BACKLOG });
    return () => app.close();
  }
  // Fastify passes all options on to Node, though its type doesn't know this one.
  const shared = { host, port, backlog: BACKLOG, reusePort: true };
  await app.listen(shared);
  const others: Server[] = [];
  // Node's HTTP server takes connections of others that are passed to it like this.
  const addSocket = async () => {
    const other = createServer({ noDelay: true, allowHalfOpen: true }, (socket) =>
      app.server.emit('connection', socket),
    );
    others.push(other);
    await listenOn(other, { host, port: (app.server.address() as AddressInfo).port }, true);
  };
  for (let index = 1; index < SOCKETS; index += 1) await addSocket();
  return async () => {
    const closed = others.map(close);
    await app.close();
    await Promise.all(closed);
  };
}
