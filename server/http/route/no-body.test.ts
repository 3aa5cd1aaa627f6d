/** @module-tag both-databases */
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UPLOAD_PATH } from '#contract/admin/upload-path.ts';
import { BASIC_UPLOAD_PATH } from '../../features/uploads/basic-upload.ts';
import { cookieOf, createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createUser } from '../../testing/test-user.ts';

let test: TestApp;
let port: number;
beforeEach(async () => {
  test = await createTestApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  port = (test.app.server.address() as AddressInfo).port;
});
afterEach(() => test.close());

/** The status of a request that ends after its headers. */
async function send(line: string, ...headers: string[]): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  const lines = [`${line} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers, '', ''];
  socket.write(lines.join('\r\n'));
  const [, status] = (await text(socket)).split(' ');
  return Number(status);
}

describe('a request with a content type but no body', () => {
  it.each([
    ['POST /api/auth/login', 'application/json', 400],
    ['POST /api/auth/login', 'text/plain', 415],
    ['DELETE /api/nothing', 'application/json', 404],
    ['POST /api/webhooks/sandbox', 'application/json', 401],
    ['GET /api/version', 'application/json', 200],
  ])('is answered: %s, %s', async (line, type, status) => {
    expect(await send(line, `Content-Type: ${type}`)).toBe(status);
  });

  it('is answered by an upload route', async () => {
    const { client } = await createAdmin(test);
    const cookie = `Cookie: ${cookieOf(client)}`;
    const form = 'Content-Type: multipart/form-data; boundary=a';
    expect(await send(`POST ${BASIC_UPLOAD_PATH}`, cookie, form)).toBe(400);
    expect(await send(`POST ${BASIC_UPLOAD_PATH}`, cookie)).toBe(400);
    const part = ['Tus-Resumable: 1.0.0', 'Content-Type: application/offset+octet-stream'];
    expect(await send(`POST ${UPLOAD_PATH}`, cookie, ...part, 'Upload-Length: 9')).toBe(201);
  });

  it('works where no body is needed', async () => {
    const { client } = await createUser(test);
    const headers = [`Cookie: ${cookieOf(client)}`, 'Content-Type: application/json'];
    expect(await send('POST /api/auth/logout', ...headers)).toBe(204);
    expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(401);
  });
});
