import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * A paused player reads nothing for hours and reconnects when it continues, so we don't wait longer.
 * Half of what service managers usually allow; jobs need the rest.
 */
const MAX_WAIT_MS = 5000;
/** How often a closing server looks for connections that have become idle. */
const LOOK_AGAIN_MS = 50;

/**
 * A closing server waits for its connections. Node ends the idle ones, but not one that was opened
 * and never used, nor one that becomes idle later: without this a restart would wait for their
 * time-outs.
 */
export function closeConnectionsOnShutdown(app: FastifyInstance, maxWaitMs = MAX_WAIT_MS) {
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', (done) => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    const timer = setInterval(() => {
      app.server.closeIdleConnections();
      if (open.size === 0) clearInterval(timer);
    }, LOOK_AGAIN_MS).unref();
    setTimeout(() => app.server.closeAllConnections(), maxWaitMs).unref();
    done();
  });
}
