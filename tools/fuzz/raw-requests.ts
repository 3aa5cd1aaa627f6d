import { connect } from 'node:net';
import fc, { type Arbitrary } from 'fast-check';
import type { FuzzAnswer } from './check-answer.ts';

const paths = fc.constantFrom(
  '/',
  '/api/version',
  '/api/auth/login',
  '/api/tracks?limit=1',
  '/api/%ff',
  '/%',
  '/%00',
  '/..%2f..%2f..%2fetc/passwd',
  '/assets/../../package.json',
  '//api//version',
  '/api/version#x',
  '/\u00ff\u00fe',
  '*',
  'http://evil.example/api/version',
  'evil.example:443',
  `/${'a'.repeat(9000)}`,
  '/media/sleeves/%2e%2e%2f',
  '/track/%F0%9F%8E%B5',
);
const methods = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'M-SEARCH',
  'get',
  'GET\t',
  'PRI',
  '',
  'A'.repeat(300),
);
const versions = fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'http/1.1', '');
const headerLines = fc.constantFrom(
  'Host: x',
  'Host:',
  'Host: a\r\nHost: b',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 5\r\nContent-Length: 6',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 4',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: gzip, chunked',
  'Content-Type: application/json',
  'Expect: 100-continue',
  'Expect: 200-ok',
  'Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x',
  'Connection: upgrade\r\nUpgrade: h2c',
  'Cookie: session=\u00ff\u0001',
  'X: \u0000',
  ' folded: line',
  'No colon',
  ': empty',
  `X-Long: ${'x'.repeat(20_000)}`,
  Array.from({ length: 2500 }, (_, n) => `X-${n}: y`).join('\r\n'),
  'X-Forwarded-For: 127.0.0.1',
  'Accept-Encoding: \u00ff',
  'Range: bytes=0-0,1-1',
);
const bodies = fc.constantFrom(
  '',
  '{"username":"a","password":"b"}',
  '5\r\nhello\r\n0\r\n\r\n',
  'zz\r\nhello',
  'ffffffffffffffff\r\n',
  '\u0000\u00ff',
  'GET /api/version HTTP/1.1\r\nHost: x\r\n\r\n',
  'x'.repeat(70_000),
);

/** Bytes that are nearly a request, and some that are nothing like one. */
export const rawRequests: Arbitrary<Buffer> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(methods, paths, versions, fc.array(headerLines, { maxLength: 4 }), bodies)
      .map(([method, path, version, headers, body]) =>
        Buffer.from(
          [`${method} ${path} ${version}`, 'Host: x', ...headers, '', body].join('\r\n'),
          'latin1',
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  },
  {
    weight: 1,
    // The start of a TLS connection.
    arbitrary: fc.constant(Buffer.from('16030100a5010000a10303', 'hex')),
  },
);

const ANSWER_TIME_MS = 10_000;

/** What came back: nothing, or the first answer. */
export type RawOutcome =
  | { kind: 'closed' }
  | { kind: 'silent' }
  | { kind: 'answer'; answer: FuzzAnswer };

function parseAnswer(received: Buffer): RawOutcome {
  const text = received.toString('latin1');
  // An interim answer comes before the real one.
  const rest = text.replace(/^(?:HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n)+/, '');
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(rest) ?? [];
  if (status === undefined) return { kind: 'closed' };
  const end = rest.indexOf('\r\n\r\n');
  const head = rest.slice(0, end);
  const contentType = /\r\ncontent-type: ([^\r]*)/i.exec(head)?.[1] ?? '';
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString();
  return { kind: 'answer', answer: { status: Number(status), contentType, body } };
}

/** Sends the bytes and no more, and reads until the server closes the connection. */
export const sendRawBytes = (port: number, bytes: Buffer): Promise<RawOutcome> =>
  new Promise((resolve) => {
    const received: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (outcome: RawOutcome) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.setTimeout(ANSWER_TIME_MS, () => finish({ kind: 'silent' }));
    socket.on('data', (chunk) => received.push(chunk));
    // A reset is how a server may close too.
    socket.on('error', () => finish(parseAnswer(Buffer.concat(received))));
    socket.on('close', () => finish(parseAnswer(Buffer.concat(received))));
    socket.on('connect', () => socket.end(bytes));
  });
