import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendRaw } from '../../testing/raw-request.ts';
import { createLog } from '../../log/log.ts';
import { sendLocalFile } from './send-file.ts';

const SIZE = 5 * 1024 * 1024 + 321;
const bytes = randomBytes(SIZE);
let folder: string;
let path: string;
let app: FastifyInstance;
let port: number;
let logged: string[];
let sent: Promise<void>[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-send-'));
  path = join(folder, 'file');
  await writeFile(path, bytes);
  logged = [];
  sent = [];
  const loggerInstance = createLog('error', { write: (line) => logged.push(line) });
  app = Fastify({ loggerInstance }) as unknown as FastifyInstance;
  app.get<{ Params: { start: string; end: string } }>('/:start/:end', async (request, reply) => {
    const range = { start: Number(request.params.start), end: Number(request.params.end) };
    reply.header('content-length', range.end - range.start + 1);
    const sending = sendLocalFile(reply, path, range);
    sent.push(sending);
    await sending;
    return reply;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
});
afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

it('sends exactly the requested bytes to many clients at once', async () => {
  const ranges = [
    [0, SIZE - 1],
    [0, 0],
    [SIZE - 1, SIZE - 1],
    [1_000_000, 1_048_576 * 3],
    ...Array.from({ length: 20 }, (_, index) => [index * 100_003, index * 100_003 + 1_500_000]),
  ] as [number, number][];
  const answers = await Promise.all(
    ranges.map(([start, end]) => sendRaw({ port, path: `/${start}/${end}` })),
  );
  for (const [index, { status, body }] of answers.entries()) {
    const [start, end] = ranges[index] ?? [0, 0];
    expect(status).toBe(200);
    expect(body.equals(bytes.subarray(start, end + 1))).toBe(true);
  }
  expect(logged).toEqual([]);
});

it('stops without an error when the client disconnects', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /0/${SIZE - 1} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'data');
  socket.pause();
  socket.destroy();
  await Promise.all(sent);
  expect(sent).toHaveLength(1);
  expect(logged).toEqual([]);
});

it('also stops answers queued behind another one on the same connection', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET /0/${SIZE - 1} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(3));
  await once(socket, 'data');
  socket.pause();
  await expect.poll(() => sent.length).toBe(3);
  socket.destroy();
  await Promise.all(sent);
  expect(logged).toEqual([]);
});

it('sends the same bytes again, also over a slow connection', async () => {
  const ask = (more = '') => `GET /0/${SIZE - 1} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  await sendRaw({ port, path: `/0/${SIZE - 1}` });
  const { body } = await sendRaw({ port, path: '/1000/900000' });
  expect(body.equals(bytes.subarray(1000, 900_001))).toBe(true);

  const socket = connect(port, '127.0.0.1');
  socket.write(ask() + ask() + ask('Connection: close\r\n'));
  await once(socket, 'readable');
  await expect.poll(() => sent.length).toBe(5);
  const answers = await buffer(socket);
  let from = 0;
  for (const _ of [1, 2, 3]) {
    const start = answers.indexOf('\r\n\r\n', from) + 4;
    expect(answers.subarray(start, start + SIZE).equals(bytes)).toBe(true);
    from = start + SIZE;
  }
  expect(logged).toEqual([]);
});

it('answers with an error if the file has become shorter', async () => {
  await truncate(path, 1000);
  const { status } = await sendRaw({ port, path: `/0/${SIZE - 1}` });
  expect(status).toBe(500);
  await Promise.allSettled(sent);
  expect(logged.join('')).toContain('The file is shorter than it was');
});

it('closes the connection and logs why if the file shrinks while it’s sent', async () => {
  const size = 64 * 1024 * 1024;
  await truncate(path, size);
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /0/${size - 1} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'readable');
  await truncate(path, 1000);
  socket.on('error', () => undefined).resume();
  await once(socket, 'close');
  await Promise.all(sent);
  expect(logged.join('')).toContain('The file is shorter than it was');
});

it('answers with an error if the file is missing', async () => {
  await rm(path);
  const { status } = await sendRaw({ port, path: '/0/9' });
  expect(status).toBe(500);
});
