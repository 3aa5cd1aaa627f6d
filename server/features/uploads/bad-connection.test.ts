import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdmin } from '../../testing/test-admin.ts';
import { cookieOf, createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUploader } from '../../testing/test-upload.ts';
import { listParts } from './parts.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';

/** Over a real socket, to test a lost connection. */
let test: TestApp;
let admin: TestClient;
let port: number;
/** The requests to the server, newest first. */
const asked: IncomingMessage[] = [];
const tone = writeToneWav({ seconds: 20, loudFrom: 1 });

beforeAll(async () => {
  test = await createTestApp();
  admin = (await createAdmin(test)).client;
  test.app.server.on('request', (received) => asked.unshift(received));
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = test.app.server.address() as AddressInfo);
});
afterAll(() => test.close());

const open = (method: string, path: string, headers: Record<string, string>): ClientRequest =>
  request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: {
      'tus-resumable': '1.0.0',
      cookie: cookieOf(admin),
      ...headers,
    },
  });
const openPart = (path: string, offset: number, headers: Record<string, string> = {}) =>
  open('PATCH', path, {
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
    ...headers,
  });
async function answerOf(sent: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer;
}
const readStored = async (path: string) => {
  const parts = await listParts(test.deps.database.db, path.split('/').at(-1) ?? '');
  const pathOf = test.deps.storage.localPath ?? String;
  return Buffer.concat(await Promise.all(parts.map(({ key }) => readFile(pathOf(key)))));
};
const listFiles = () => readdir(join(test.deps.config.dataDir, 'uploads'));
const send = (sent: ClientRequest, bytes: Buffer) =>
  new Promise<void>((resolve, reject) =>
    sent.write(bytes, (error) => (error ? reject(error) : resolve())),
  );
/** Waits until the server has written everything sent; until then it may report less. */
const arrive = async (sent: ClientRequest) => {
  const count = () => {
    const received = asked.find(({ socket }) => socket.remotePort === sent.socket?.localPort);
    return received?.readableLength === 0 && received.socket.bytesRead;
  };
  await expect.poll(count).toBe(sent.socket?.bytesWritten);
};
const askOffset = async (path: string) => {
  const sent = open('HEAD', path, {});
  sent.end();
  return Number((await answerOf(sent)).headers['upload-offset']);
};

it('a half-sent part resumes there, even while the first connection still seems open', async () => {
  const created = await createUploader(admin).create(tone.length, { filename: 'mix.wav' });
  const path = String(created.headers.location);

  const dropped = openPart(path, 0, { 'content-length': String(tone.length) });
  dropped.on('error', () => undefined);
  await send(dropped, tone.subarray(0, 1_500_000));
  await arrive(dropped);
  dropped.destroy();
  expect(await askOffset(path)).toBe(1_500_000);

  const silent = openPart(path, 1_500_000, { 'content-length': String(tone.length - 1_500_000) });
  const ended = new Promise((resolve) => silent.on('error', () => undefined).on('close', resolve));
  await send(silent, tone.subarray(1_500_000, 2_000_000));
  await arrive(silent);
  const offset = await askOffset(path);
  expect(offset).toBe(2_000_000);
  await ended;

  const tooMuch = openPart(path, offset, { 'transfer-encoding': 'chunked' });
  tooMuch.end(Buffer.concat([tone.subarray(offset), Buffer.alloc(100_000)]));
  expect((await answerOf(tooMuch)).statusCode).toBe(413);

  const rest = await askOffset(path);
  const last = openPart(path, rest);
  last.end(tone.subarray(rest));
  expect((await answerOf(last)).statusCode).toBe(204);
  expect((await readStored(path)).equals(tone)).toBe(true);
});

it('half a basic upload leaves nothing behind', async () => {
  const before = await listFiles();
  const dropped = open('POST', '/api/admin/basic-upload', {
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': '9000000',
  });
  dropped.on('error', () => undefined);
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';
  await send(dropped, Buffer.concat([Buffer.from(head), tone]));
  await expect.poll(listFiles).toHaveLength(before.length + 1);
  dropped.destroy();
  await expect.poll(listFiles).toEqual(before);
});

it('a form that ends in the middle of its file is refused and leaves nothing behind', async () => {
  const before = await listFiles();
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), tone]);
  const sent = open('POST', '/api/admin/basic-upload', {
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': String(body.length),
  });
  sent.end(body);
  expect((await answerOf(sent)).statusCode).toBe(400);
  await expect.poll(listFiles).toEqual(before);
});
