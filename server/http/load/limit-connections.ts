import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { defineGauge } from '../../counters.ts';

/** An idle connection takes about 10 KB, so this many fit beside everything else. */
const MAX_IDLE = 4000;
/** Streams that play and pages that listen for changes; an open file limit of 10,000 is usual. */
const MAX_OPEN = 8000;

const countConnections = defineGauge('weekender_connections', 'Open connections.');

/**
 * Keeps idle connections from filling the server: for one more, the one that was idle longest is
 * closed. Browsers and proxies open another one when they need it. With too many connections in use,
 * new ones are closed at once.
 */
export function limitConnections(server: Server, { maxIdle = MAX_IDLE, maxOpen = MAX_OPEN } = {}) {
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  let open = 0;

  function addIdle(socket: Socket) {
    idle.add(socket);
    if (idle.size <= maxIdle) return;
    const [oldest] = idle;
    oldest?.destroy();
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
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) addIdle(socket);
    });
  });
}
