import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * A paused player reads nothing for hours and reconnects when it continues, so we don't wait longer.
 * Half of what service managers usually allow; jobs need the rest.
 */
const MAX_WAIT_MS = 5000;

/**
 * A closing server waits for its connections. Node ends the idle ones, but not one that was opened
 * and never used, nor one that becomes idle later: without this a restart would wait for their
 * time-outs.
 */
export function closeConnectionsOnShutdown(app: FastifyInstance, maxWaitMs = MAX_WAIT_MS) {
  const unused = new Set<Socket>();
  let isClosing = false;
  app.server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    unused.delete(socket);
    response.once('close', () => {
      if (isClosing) socket.destroySoon();
    });
  });
  app.addHook('preClose', (done) => {
    isClosing = true;
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => app.server.closeAllConnections(), maxWaitMs).unref();
    done();
  });
}
