import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import { handleClientErrors } from '../route/error-handler.ts';
import {
  allowSlowUpload,
  isTimedOut,
  addSlowRequestTimeout,
  type SlowRequestLimits,
} from './slow-request-timeout.ts';

const limits: SlowRequestLimits = { totalMs: 100, idleMs: 50, minBytes: 10, maxUploadMs: 1000 };

it.each([
  [
    'a form that takes too long',
    { isUpload: false, bytes: 0, bytesNow: 900, elapsedMs: 100 },
    true,
  ],
  ['a form that has time left', { isUpload: false, bytes: 0, bytesNow: 0, elapsedMs: 50 }, false],
  [
    'an upload that still arrives',
    { isUpload: true, bytes: 100, bytesNow: 110, elapsedMs: 900 },
    false,
  ],
  ['an upload that stalls', { isUpload: true, bytes: 100, bytesNow: 109, elapsedMs: 50 }, true],
  ['an upload that never ends', { isUpload: true, bytes: 0, bytesNow: 500, elapsedMs: 1000 }, true],
])('%s', (_name, check, expected) => {
  expect(isTimedOut(check, limits)).toBe(expected);
});

const open: { close: () => void }[] = [];
afterEach(() => open.splice(0).forEach((one) => one.close()));

/** A server that reads everything, and a request of which only the headers and one byte arrive. */
async function sendHalf(onRequest: Parameters<typeof createServer>[1]) {
  const server = createServer((request, response) => {
    request.on('error', () => undefined).resume();
    onRequest?.(request, response);
  });
  const timeout = addSlowRequestTimeout(server, limits);
  server.on('clientError', handleClientErrors(parseConfig({})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  open.push(server, { close: () => socket.destroy() });
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n.');
  await once(server, 'request');
  return { socket, timeout };
}

it.each([
  ['an ordinary request', () => undefined],
  ['an upload', allowSlowUpload],
])('times out a client that stops sending: %s', async (_name, onRequest) => {
  const { socket } = await sendHalf(onRequest);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 408 [\s\S]*"request_timeout"/);
});

it('a server that stops doesn’t wait for a file upload', async () => {
  const { socket, timeout } = await sendHalf(allowSlowUpload);
  const closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
  timeout.endUploads();
  await closed;
  expect(socket.destroyed).toBe(true);
});
