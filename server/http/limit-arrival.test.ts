import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { parseConfig } from '../config.ts';
import { answerClientErrors } from './client-error.ts';
import { expectFile, isWaitingInVain, limitArrivals, type ArrivalLimits } from './limit-arrival.ts';

const limits: ArrivalLimits = { wholeMs: 100, idleMs: 50, leastBytes: 10, longestMs: 1000 };

it.each([
  ['a form that takes too long', { isFile: false, bytes: 0, bytesNow: 900, sinceMs: 100 }, true],
  ['a form that has time left', { isFile: false, bytes: 0, bytesNow: 0, sinceMs: 50 }, false],
  ['a file that still comes', { isFile: true, bytes: 100, bytesNow: 110, sinceMs: 900 }, false],
  ['a file of which nothing comes', { isFile: true, bytes: 100, bytesNow: 109, sinceMs: 50 }, true],
  ['a file without an end', { isFile: true, bytes: 0, bytesNow: 500, sinceMs: 1000 }, true],
])('%s', (_name, look, isInVain) => {
  expect(isWaitingInVain(look, limits)).toBe(isInVain);
});

const open: { close: () => void }[] = [];
afterEach(() => open.splice(0).forEach((one) => one.close()));

/** A server that reads whatever comes, and a request of which only the head and one byte arrive. */
async function begin(onRequest: Parameters<typeof createServer>[1]) {
  const server = createServer((request, response) => {
    request.on('error', () => undefined).resume();
    onRequest?.(request, response);
  });
  const arrivals = limitArrivals(server, limits);
  server.on('clientError', answerClientErrors(parseConfig({})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  open.push(server, { close: () => socket.destroy() });
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n.');
  await once(server, 'request');
  return { socket, arrivals };
}

it.each([
  ['anybody', () => undefined],
  ['somebody who sends a file', expectFile],
])('who sends no more is told so, and let go: %s', async (_name, onRequest) => {
  const { socket } = await begin(onRequest);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 408 [\s\S]*"request_timeout"/);
});

it('a server that stops does not wait for a file', async () => {
  const { socket, arrivals } = await begin(expectFile);
  const closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
  arrivals.endFiles();
  await closed;
  expect(socket.destroyed).toBe(true);
});
