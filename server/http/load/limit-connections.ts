import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { defineGauge } from './counters.ts';
import { hasBody } from './slow-request-timeout.ts';

/** An idle connection takes about 10 KB, so this many fit beside everything else. */
const MAX_IDLE = 4000;
/** Streams that play and pages that listen for changes; an open file limit of 10,000 is usual. */
const MAX_OPEN = 8000;

const countConnections = defineGauge('weekender_connections', 'Open connections.');

/**
 * Keeps idle connections from filling the server: for one more, the one that was idle longest is
 * closed. Browsers and proxies open another one when they need it. A connection counts as idle as
 * long as we wait for a request or the rest of one. With too many connections in use, new ones are
 * closed at once.
 */
export function limitConnections(server: Server, { maxIdle = MAX_IDLE, maxOpen = MAX_OPEN } = {}) {
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  let open = 0;

  function addIdle(socket: Socket) {
    idle.delete(socket);
    idle.add(socket);
    if (idle.size <= maxIdle) return;
    const [oldest] = idle;
    if (!oldest) return;
    // Now and not when it has closed: in one turn of the event loop, many connections can come.
    idle.delete(oldest);
    oldest.destroy();
  }

  server.on('connection', (socket: Socket) => {
    open += 1;
    countConnections(1);
    socket.once('close', () => {
      open -= 1;
      countConnections(-1);
      idle.delete(socket);
    });
    if (open > maxOpen) socket.destroy();
    else addIdle(socket);
  });
  server.on('request', (request: IncomingMessage, response) => {
    const { socket } = request;
    const stopWaiting = () => idle.delete(socket);
    // A request that arrives byte by byte keeps nobody out either.
    if (hasBody(request)) request.once('end', stopWaiting);
    else stopWaiting();
    response.on('close', () => {
      if (!socket.destroyed) addIdle(socket);
    });
  });
}
