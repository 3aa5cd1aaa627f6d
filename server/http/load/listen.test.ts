import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { closeConnectionsOnShutdown } from './end-connections.ts';
import { findPort, listen } from './listen.ts';

const HOST = '127.0.0.1';

function createApp(): FastifyInstance {
  const app = Fastify({ keepAliveTimeout: 60_000 });
  closeConnectionsOnShutdown(app);
  app.get('/', async () => 'answered');
  return app;
}

const portOf = (app: FastifyInstance) => (app.server.address() as AddressInfo).port;

it.runIf(process.platform === 'linux')(
  'takes several new connections in one turn of the event loop',
  async () => {
    const app = createApp();
    const close = await listen(app, { host: HOST, port: 0 });
    let turn = 0;
    let taken = 0;
    const turns: number[] = [];
    const countTurn = () => {
      turn += 1;
      if (taken < 20) setImmediate(countTurn);
    };
    const allTaken = new Promise<void>((resolve) => {
      app.server.on('connection', () => {
        taken += 1;
        turns.push(turn);
        if (taken === 20) resolve();
      });
    });
    const sockets = Array.from({ length: 20 }, () => connect(portOf(app), HOST));
    countTurn();
    await allTaken;
    expect(new Set(turns).size).toBeLessThan(20);
    for (const socket of sockets) socket.destroy();
    await close();
  },
);

it('answers on every socket, and closes all of them, also while a connection is idle', async () => {
  const app = createApp();
  const close = await listen(app, { host: HOST, port: 0 });
  const port = portOf(app);
  const idle = Array.from({ length: 40 }, () => connect(port, HOST));
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
  for (const socket of idle) {
    socket.write(request);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('answered');
  }
  const ended = idle.map((socket) => text(socket));
  await close();
  await Promise.all(ended);
  const late = connect(port, HOST);
  const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});

it('notices another program on its port', async () => {
  const other = createServer().listen(0, HOST);
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(findPort({ host: HOST, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  other.close();
  const app = createApp();
  const close = await listen(app, { host: HOST, port: 0 });
  await expect(findPort({ host: HOST, port: portOf(app) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await close();
});
