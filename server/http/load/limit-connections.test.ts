import { once } from 'node:events';
import { connect, Socket, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { limitConnections } from './limit-connections.ts';

let app: FastifyInstance;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

async function start(limits: { maxIdle: number; maxOpen: number }) {
  app = Fastify();
  limitConnections(app.server, limits);
  app.get('/', async () => 'answered');
  app.post('/', async () => 'answered');
  app.get('/stream', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/plain' }).write('playing');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
}

/** Connects, and waits until the server has noticed. */
async function open(): Promise<Socket> {
  const accepted = once(app.server, 'connection');
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  await accepted;
  return socket;
}

async function ask(socket: Socket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  let received = '';
  while (!/answered|playing/.test(received)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    received += chunk.toString();
  }
  return received;
}

it('closes the connection that was idle longest, so that one more finds a place', async () => {
  await start({ maxIdle: 3, maxOpen: 100 });
  const first = await open();
  const second = await open();
  const third = await open();
  // The first one is now the last to have become idle.
  await ask(first, '/');
  const closed = once(second.resume(), 'close');
  const fourth = await open();
  await closed;
  for (const socket of [third, first, fourth]) expect(await ask(socket, '/')).toContain('answered');
});

it('closes one for each that comes, also when many come in one turn of the event loop', async () => {
  await start({ maxIdle: 2, maxOpen: 100 });
  const all = Array.from({ length: 5 }, () => new Socket());
  sockets.push(...all);
  for (const socket of all) app.server.emit('connection', socket);
  expect(all.map(({ destroyed }) => destroyed)).toEqual([true, true, true, false, false]);
});

it('closes a connection whose request never ends, so that one more finds a place', async () => {
  await start({ maxIdle: 1, maxOpen: 100 });
  const slow = await open();
  const asked = once(app.server, 'request');
  slow.write(
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n{',
  );
  await asked;
  const closed = once(slow.resume(), 'close');
  const next = await open();
  await closed;
  expect(await ask(next, '/')).toContain('answered');
});

it('leaves connections alone that are in use', async () => {
  await start({ maxIdle: 1, maxOpen: 100 });
  const playing = await open();
  await ask(playing, '/stream');
  const idle = await open();
  const closed = once(idle.resume(), 'close');
  const next = await open();
  await closed;
  expect(await ask(next, '/')).toContain('answered');
  expect(playing.destroyed).toBe(false);
});

it('takes no more connections than it can hold, and others once one has ended', async () => {
  await start({ maxIdle: 5, maxOpen: 2 });
  const playing = await open();
  await ask(playing, '/stream');
  const second = await open();
  await ask(second, '/stream');
  expect(await text(await open())).toBe('');
  const closed = new Promise((resolve) => app.server.once('connection', resolve));
  playing.destroy();
  // Asks until the end of the other connection has arrived.
  let answer = '';
  while (!answer) {
    const socket = await open();
    await closed;
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    answer = await text(socket).catch(() => '');
  }
  expect(answer).toContain('answered');
});
