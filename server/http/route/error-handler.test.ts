import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ErrorBody } from '#contract/errors.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { formatClientError } from './error-handler.ts';

let test: TestApp;
let port: number;
beforeEach(async () => {
  test = await createTestApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  port = (test.app.server.address() as AddressInfo).port;
});
afterEach(() => test.close());

function readAnswer(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(/: (.*)/)));
  return { status: Number(first.split(' ')[1]), headers, body };
}

async function open() {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

const complete = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-request-id': expect.stringMatching(/^[\w-]{12}$/),
  'content-type': 'application/json; charset=utf-8',
};

describe('a request that Node’s parser rejects gets the same error body as any other', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'malformed_request'],
    [
      'endless headers',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'one with two lengths, in which a proxy could see two requests',
      'POST /api/auth/logout HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'malformed_request',
    ],
  ])('%s', async (_what, sent, status, code) => {
    const socket = await open();
    socket.write(sent);
    const answer = readAnswer(await text(socket));
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(complete);
    expect(ErrorBody.strict().parse(JSON.parse(answer.body))).toMatchObject({ code });
  });

  it('a request that never arrives completely', () => {
    const answer = readAnswer(formatClientError('ERR_HTTP_REQUEST_TIMEOUT', test.deps.config));
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'request_timeout' });
  });
});

it('never sends a TRACE request back', async () => {
  const socket = await open();
  socket.write(
    'TRACE / HTTP/1.1\r\nHost: a\r\nCookie: session=secret5\r\nConnection: close\r\n\r\n',
  );
  const received = await text(socket);
  expect(readAnswer(received).status).toBeGreaterThanOrEqual(400);
  expect(received).not.toContain('secret5');
});

it('answers requests on open connections while the server closes', async () => {
  const socket = await open();
  const body = '{"username":"a","password":"b"}';
  socket.write(
    `POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  // Another request on its own connection is answered after the first one has arrived.
  await fetch(`http://127.0.0.1:${port}/api/version`);
  const closed = test.app.close();
  socket.write(`${body}GET /api/version HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const [, second = ''] = (await text(socket)).split(/(?=HTTP\/1\.1 )/);
  await closed;
  expect(readAnswer(second)).toMatchObject({
    status: 200,
    headers: { 'x-request-id': expect.any(String) },
  });
});
