import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * A player that has paused takes nothing for hours and asks again when it goes on, so nobody is
 * waited for longer. Half of what service managers commonly give: the jobs need the rest.
 */
const LONGEST_MS = 5000;

/**
 * A server that closes waits for its connections. Node ends those that are idle at that moment, but
 * not one that was opened ahead and never used, nor one that becomes idle a little later: both would
 * be waited for until they time out. Somebody who restarts the site must not.
 */
export function endConnectionsOnClose(app: FastifyInstance, longestMs = LONGEST_MS) {
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
    const goodbye = setTimeout(() => app.server.closeAllConnections(), longestMs).unref();
    app.server.once('close', () => clearTimeout(goodbye));
    done();
  });
}
