import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findNginxPrograms, NO_NGINX } from './testing/find-nginx.ts';
import { findFreePort } from './testing/free-port.ts';
import {
  checkConfig,
  makeCertificate,
  startNginx,
  type NginxPlaces,
  type RunningNginx,
} from './testing/run-nginx.ts';

/** A server behind nginx that keeps what it is asked, and answers as the test says. */
type Backend = { server: Server; port: number; requests: IncomingMessage[] };

let answer: RequestListener;
const answerOk: RequestListener = (incoming, response) => {
  incoming.resume().on('end', () => response.end('ok'));
};

async function startBackend(port = 0): Promise<Backend> {
  const requests: IncomingMessage[] = [];
  const server = createServer((incoming, response) => {
    requests.push(incoming);
    answer(incoming, response);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return { server, port: (server.address() as AddressInfo).port, requests };
}

async function stopBackend({ server }: Backend) {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

let apps: [Backend, Backend];
let store: Backend;
let folder: string;
let places: NginxPlaces;
let nginx: RunningNginx;
let ca: string;

let certificate: NonNullable<NginxPlaces['certificate']>;

beforeAll(() => {
  if (!findNginxPrograms()) return;
  folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  certificate = makeCertificate(folder);
  ca = readFileSync(certificate.file, 'utf8');
  return () => rmSync(folder, { recursive: true, force: true });
});

beforeEach(async ({ skip }) => {
  skip(!findNginxPrograms(), NO_NGINX);
  answer = answerOk;
  apps = [await startBackend(), await startBackend()];
  store = await startBackend();
  places = {
    folder,
    httpPort: await findFreePort(),
    httpsPort: await findFreePort(),
    appPorts: [apps[0].port, apps[1].port],
    storePort: store.port,
    certificate,
  };
  nginx = await startNginx(places);
  return async () => {
    await nginx.kill();
    await Promise.all([...apps, store].map(stopBackend));
  };
});

type Answer = { status: number; headers: IncomingMessage['headers']; body: string };

const open = (path: string, options: RequestOptions = {}) =>
  request({ host: '127.0.0.1', port: places.httpsPort, path, ca, agent: false, ...options });

async function readAnswer(incoming: IncomingMessage): Promise<Answer> {
  let body = '';
  for await (const chunk of incoming) body += String(chunk);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body };
}

async function send(path: string, options: RequestOptions = {}, body = ''): Promise<Answer> {
  const sent = open(path, options);
  sent.end(body);
  const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
  return readAnswer(incoming);
}

const countRequests = () => apps.flatMap(({ requests }) => requests).length;

/** Reads the request, and ends the connection instead of answering. */
const hangUp: RequestListener = (incoming) => {
  incoming.resume().on('end', () => incoming.socket.destroy());
};

it('finds no mistake in deploy/nginx.conf', () => {
  expect(() => checkConfig(places)).not.toThrow();
});

describe('forwarding headers', () => {
  it('are set to what nginx knows, whatever a visitor sends', async () => {
    const forged = {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'evil.example',
      'x-real-ip': '203.0.113.7',
      forwarded: 'for=203.0.113.7',
    };
    for (const path of ['/', '/api/live', '/api/admin/uploads'])
      await send(path, { headers: forged });
    for (const { headers } of apps.flatMap(({ requests }) => requests)) {
      expect(headers['x-forwarded-for']).toBe('127.0.0.1');
      expect(headers['x-forwarded-proto']).toBe('https');
      expect(headers.host).toBe(`127.0.0.1:${places.httpsPort}`);
      for (const name of ['x-forwarded-host', 'x-real-ip', 'forwarded'])
        expect(headers[name]).toBeUndefined();
    }
    expect(countRequests()).toBe(3);
  });
});

describe('a server that is gone', () => {
  it('costs no request: the other one answers', async () => {
    await stopBackend(apps[0]);
    for (let n = 0; n < 6; n += 1) {
      expect((await send('/')).status).toBe(200);
      expect((await send('/api/me/preferences', { method: 'POST' }, '{}')).status).toBe(200);
    }
    expect(apps[1].requests).toHaveLength(12);
  });

  it('is used again when it is back', async () => {
    await stopBackend(apps[0]);
    for (let n = 0; n < 4; n += 1) await send('/');
    apps[0] = await startBackend(apps[0].port);
    await expect
      .poll(async () => {
        await send('/');
        return apps[0].requests.length;
      })
      .toBeGreaterThan(0);
  });

  it('and the other one too: people get a page that loads again, programs a sentence', async () => {
    await Promise.all(apps.map(stopBackend));
    const page = await send('/');
    expect([page.status, page.headers['content-type']]).toEqual([502, 'text/html; charset=utf-8']);
    expect(page.headers['retry-after']).toMatch(/^[3-6]$/);
    expect(page.body).toContain(`http-equiv="refresh" content="${page.headers['retry-after']}"`);
    const call = await send('/api/tracks');
    expect(call.headers['content-type']).toBe('application/json');
    expect((JSON.parse(call.body) as { code: string }).code).toBe('unavailable');
  });
});

describe('a request that a server took and never answered', () => {
  it('is sent to the other server if it only reads', async () => {
    answer = (incoming, response) =>
      (countRequests() === 1 ? hangUp : answerOk)(incoming, response);
    expect((await send('/api/tracks')).status).toBe(200);
    expect(apps.map(({ requests }) => requests.length)).toEqual([1, 1]);
  });

  it.each(['POST', 'PATCH'])('is never sent again as a %s', async (method) => {
    answer = hangUp;
    expect((await send('/api/playlists', { method }, '{}')).status).toBe(502);
    expect(countRequests()).toBe(1);
  });
});

it('a 503 reaches the visitor with its Retry-After, and doesn’t make nginx leave the server out', async () => {
  answer = (_incoming, response) => response.writeHead(503, { 'retry-after': '7' }).end('busy');
  for (let n = 0; n < 6; n += 1) {
    const { status, headers, body } = await send('/api/tracks');
    expect([status, headers['retry-after'], body]).toEqual([503, '7', 'busy']);
  }
  expect(countRequests()).toBe(6);
  for (const { requests } of apps) expect(requests.length).toBeGreaterThan(0);
});

it('a part of an upload reaches the server while it is still being sent, and may be of any size', async () => {
  const { promise: arrived, resolve: onArrived } = Promise.withResolvers<string>();
  answer = (incoming, response) => {
    incoming.once('data', (chunk: Buffer) => {
      onArrived(chunk.toString());
      answerOk(incoming, response);
    });
  };
  const headers = { 'content-length': String(8 * 1024 * 1024) };
  const sent = open('/api/admin/uploads/x', { method: 'PATCH', headers });
  sent.write('first bytes');
  expect(await arrived).toBe('first bytes');
  sent.end(Buffer.alloc(8 * 1024 * 1024 - 'first bytes'.length));
  const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
  expect(incoming.statusCode).toBe(200);
  incoming.resume();
});

it('other requests may have six megabytes', async () => {
  const headers = { 'content-length': String(7 * 1024 * 1024) };
  const sent = open('/api/me/avatar', { method: 'PUT', headers });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
  expect(incoming.statusCode).toBe(413);
  sent.destroy();
  expect(countRequests()).toBe(0);
});

it.each(['/api/live', '/media/tracks/x/stream'])(
  '%s: bytes arrive while the server is still sending',
  async (path) => {
    const { promise: opened, resolve: onOpened } = Promise.withResolvers<ServerResponse>();
    answer = (_incoming, response) => {
      // As the server does for events. Audio has more than a buffer.
      const isLive = path === '/api/live';
      response.writeHead(200, isLive ? { 'content-type': 'text/event-stream' } : {});
      response.write(isLive ? 'data: me\n\n' : Buffer.alloc(1024 * 1024));
      onOpened(response);
    };
    const sent = open(path);
    sent.end();
    const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
    const [first] = (await once(incoming, 'data')) as [Buffer];
    expect(first.length).toBeGreaterThan(0);
    incoming.resume();
    (await opened).end();
    await once(incoming, 'end');
  },
);

it('a range is asked of the server as the visitor asked for it', async () => {
  answer = (_incoming, response) =>
    response.writeHead(206, { 'content-range': 'bytes 2-3/9', 'content-length': 2 }).end('23');
  const { status, headers } = await send('/media/x', { headers: { range: 'bytes=2-3' } });
  expect([status, headers['content-range']]).toEqual([206, 'bytes 2-3/9']);
  expect(apps.flatMap(({ requests }) => requests)[0]?.headers.range).toBe('bytes=2-3');
});

it.each(['/metrics', '/%6detrics', '/metrics/', '/x/../metrics?a=b'])(
  'the figures are not for visitors: %s',
  async (path) => {
    const headers = { authorization: 'Bearer a-token-that-is-right' };
    expect((await send(path, { headers })).status).toBe(404);
    expect(countRequests()).toBe(0);
  },
);

describe('the store', () => {
  const signed = '/site-files/tracks/a.bin?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=abc';

  it('gets signed requests as they are, without the cookie of the site', async () => {
    const headers = { cookie: '__Host-session=secret' };
    const { status, headers: got } = await send(signed, { headers });
    expect([status, got['x-content-type-options']]).toEqual([200, 'nosniff']);
    const authorization = 'AWS4-HMAC-SHA256 Credential=x';
    await send('/site-files?list-type=2', { headers: { authorization } });
    expect(store.requests.map(({ url }) => url)).toEqual([signed, '/site-files?list-type=2']);
    expect(store.requests[0]?.headers.cookie).toBeUndefined();
    expect(store.requests[0]?.headers.host).toBe(`127.0.0.1:${places.httpsPort}`);
  });

  it('gets nothing that isn’t signed', async () => {
    for (const path of ['/site-files', '/site-files/', '/site-files/a', '/x/../site-files/a?b=c'])
      expect((await send(path)).status).toBe(403);
    expect(store.requests).toEqual([]);
    expect(countRequests()).toBe(0);
  });

  it('says as S3 does that it is away', async () => {
    await stopBackend(store);
    const { status, body } = await send(signed);
    expect([status, body]).toEqual([503, expect.stringContaining('<Code>ServiceUnavailable<')]);
  });
});

it('sends everything on port 80 to https, except the questions of certificate authorities', async () => {
  const address = `http://127.0.0.1:${places.httpPort}`;
  const moved = await fetch(`${address}/a?b=c`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([308, 'https://127.0.0.1/a?b=c']);
  expect((await fetch(`${address}/.well-known/acme-challenge/x`)).status).toBe(404);
});

it('a reload ends no request', async () => {
  const { promise: opened, resolve: onOpened } = Promise.withResolvers<ServerResponse>();
  answer = (_incoming, response) => onOpened(response);
  const answered = send('/api/tracks');
  const response = await opened;
  nginx.reload();
  answer = answerOk;
  expect((await send('/')).status).toBe(200);
  response.end('late');
  expect((await answered).body).toBe('late');
});
