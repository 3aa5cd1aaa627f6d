import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GRACE_MS } from '#contract/rules/access.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { sendRaw, type RawRequest } from '../../testing/raw-request.ts';
import { startS3Server } from '../../testing/s3-server.ts';
import { fileBytes, seededKey, seedTrack } from '../../testing/seed-track.ts';
import {
  cookieOf,
  createTestApp,
  type TestApp,
  type TestAppOptions,
} from '../../testing/test-app.ts';
import { createUser, createSubscriber, MONTH, type TestUser } from '../../testing/test-user.ts';
import { HOUR } from '#contract/rules/time.ts';

let test: TestApp;
let track: TracksTable;
let subscriber: TestUser;

async function start(options: TestAppOptions = {}) {
  test = await createTestApp(options);
  const { database, storage, clock } = test.deps;
  track = await seedTrack({ db: database.db, storage, now: clock.now() });
  subscriber = await createSubscriber(test);
}
beforeEach(() => start());
afterEach(() => test.close());

async function restart(options: TestAppOptions) {
  await test.close();
  await start(options);
}

type Options = { rendition?: string; method?: 'GET' | 'HEAD'; headers?: Record<string, string> };
const request = ({ rendition = 'stream', method = 'GET', headers = {} }: Options = {}) =>
  subscriber.client.request({ method, url: `/media/tracks/${track.id}/${rendition}`, headers });

const whole = fileBytes('stream');
const size = whole.length;

describe('an audio file', () => {
  it.each(['stream', 'dataSaver', 'preview'] as const)(
    'comes as it was stored: %s',
    async (rendition) => {
      const response = await request({ rendition });
      expect(response.statusCode).toBe(200);
      expect(response.rawPayload).toEqual(fileBytes(rendition));
      expect(response.headers).toMatchObject({
        'content-length': String(size),
        'content-type': rendition === 'dataSaver' ? 'audio/ogg' : 'audio/mpeg',
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
    },
  );

  it('with full audio is cached only by the browser, which revalidates each time', async () => {
    expect((await request()).headers['cache-control']).toBe('private, no-cache');
    expect((await request({ rendition: 'dataSaver' })).headers['cache-control']).toBe(
      'private, no-cache',
    );
  });

  it('with a preview may be cached by anyone', async () => {
    const { headers } = await request({ rendition: 'preview' });
    expect(headers['cache-control']).toBe('public, max-age=86400');
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it.each([
    ['for subscribers only', () => ({ is_subscriber_only: 1 as const })],
    ['not public yet', () => ({ publish_at: test.clock.now() + 1 })],
  ])('with a preview is cached only by the browser while the track is %s', async (_, change) => {
    const { db } = test.deps.database;
    await db.updateTable('tracks').set(change()).where('id', '=', track.id).execute();
    const { statusCode, headers } = await request({ rendition: 'preview' });
    expect(statusCode).toBe(200);
    expect(headers['cache-control']).toBe('private, no-cache');
  });

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=100-199', 100, 199],
    ['bytes=4000-', 4000, size - 1],
    ['bytes=-10', size - 10, size - 1],
    ['bytes=-999999', 0, size - 1],
    ['bytes=0-999999', 0, size - 1],
  ])('is sent in part for %s', async (range, first, last) => {
    const response = await request({ headers: { range } });
    expect(response.statusCode).toBe(206);
    expect(response.headers).toMatchObject({
      'content-range': `bytes ${first}-${last}/${size}`,
      'content-length': String(last - first + 1),
    });
    expect(response.rawPayload).toEqual(whole.subarray(first, last + 1));
  });

  it.each(['bytes=4096-', 'bytes=9999-10000', 'bytes=-0'])('has no part %s', async (range) => {
    const response = await request({ headers: { range } });
    expect(response.statusCode).toBe(416);
    expect(response.headers['content-range']).toBe(`bytes */${size}`);
    expect(response.rawPayload).toHaveLength(0);
  });

  it.each(['bytes=0-1,5-6', 'bytes=9-2', 'bytes=', 'items=0-1', 'bytes=a-b'])(
    'comes whole for %s',
    async (range) => {
      const response = await request({ headers: { range } });
      expect(response.statusCode).toBe(200);
      expect(response.rawPayload).toEqual(whole);
    },
  );

  it('answers HEAD like GET, without the body', async () => {
    const { statusCode, headers, rawPayload } = await request({ method: 'HEAD' });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ 'content-length': String(size), 'content-type': 'audio/mpeg' });
    expect(rawPayload).toHaveLength(0);
    const part = await request({ method: 'HEAD', headers: { range: 'bytes=0-9' } });
    expect(part.statusCode).toBe(206);
    expect(part.headers['content-length']).toBe('10');
    expect(part.rawPayload).toHaveLength(0);
  });

  it('is not sent again to a client that has it', async () => {
    const etag = String((await request()).headers.etag);
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await request({ headers: { 'if-none-match': value } });
      expect(response.statusCode).toBe(304);
      expect(response.rawPayload).toHaveLength(0);
      expect(response.headers.etag).toBe(etag);
    }
    expect((await request({ headers: { 'if-none-match': '"x"' } })).statusCode).toBe(200);
  });

  it('is never mixed from two versions: If-Range sends a part only of the same file', async () => {
    const etag = String((await request()).headers.etag);
    const range = 'bytes=0-9';
    const same = await request({ headers: { range, 'if-range': etag } });
    expect(same.statusCode).toBe(206);
    for (const other of ['"another"', `W/${etag}`, new Date(0).toUTCString()]) {
      const response = await request({ headers: { range, 'if-range': other } });
      expect(response.statusCode).toBe(200);
      expect(response.rawPayload).toEqual(whole);
    }
  });

  it('has a different ETag for each rendition', async () => {
    const etags = await Promise.all(
      ['stream', 'dataSaver', 'preview'].map(
        async (rendition) => (await request({ rendition })).headers.etag,
      ),
    );
    expect(new Set(etags).size).toBe(3);
  });

  it.each(['POST', 'PUT', 'DELETE'] as const)('rejects %s', async (method) => {
    const url = `/media/tracks/${track.id}/stream`;
    const response = await subscriber.client.request({ method, url });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET, HEAD');
  });
});

describe('access to full audio', () => {
  it('needs a login and a subscription, and says which is missing', async () => {
    const url = `/media/tracks/${track.id}/stream`;
    const visitor = await test.app.inject({ url });
    expect(visitor.statusCode).toBe(401);
    expect(visitor.json()).toMatchObject({ code: 'unauthenticated' });
    const { client } = await createUser(test);
    const member = await client.request({ url });
    expect(member.statusCode).toBe(403);
    expect(member.json()).toMatchObject({ code: 'subscribers_only' });
    expect(member.headers['cache-control']).toBe('no-store');
  });

  it('ends with the subscription, on the next request', async () => {
    test.clock.advance(MONTH + GRACE_MS - 1);
    // The session lives on because the page is in use.
    const { client } = subscriber;
    await test.deps.database.db
      .updateTable('sessions')
      .set({ expires_at: test.clock.now() + MONTH })
      .execute();
    const etag = String((await request({ headers: { range: 'bytes=0-9' } })).headers.etag);
    test.clock.advance(1);
    for (const headers of [
      { range: 'bytes=10-19' },
      { range: 'bytes=10-19', 'if-range': etag },
      { 'if-none-match': etag },
    ]) {
      const response = await request({ headers });
      expect(response.statusCode).toBe(403);
      expect(response.rawPayload.toString()).not.toContain('STREAM');
    }
    expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(200);
    expect((await request({ rendition: 'preview' })).statusCode).toBe(200);
  });

  it('ends with the session', async () => {
    const cookies = Object.fromEntries(subscriber.client.cookies);
    const url = `/media/tracks/${track.id}/stream`;
    expect((await test.app.inject({ url, cookies })).statusCode).toBe(200);
    await subscriber.client.request({ method: 'POST', url: '/api/auth/logout' });
    expect((await test.app.inject({ url, cookies })).statusCode).toBe(401);
  });

  it('does not extend the session', async () => {
    const readSeen = () =>
      test.deps.database.db.selectFrom('sessions').select('last_seen_at').executeTakeFirstOrThrow();
    const before = await readSeen();
    test.clock.advance(2 * HOUR);
    const response = await request();
    expect(response.headers).not.toHaveProperty('set-cookie');
    expect(await readSeen()).toEqual(before);
  });
});

describe('a file that is missing from the store', () => {
  it.each(['stream', 'preview'] as const)(
    'is logged as a server error and never cached: %s',
    async (rendition) => {
      const key = seededKey(track, rendition);
      await test.deps.storage.delete(key);
      const response = await request({ rendition, headers: { range: 'bytes=0-9' } });
      expect(response.statusCode).toBe(500);
      expect(response.json()).toMatchObject({ code: 'internal' });
      expect(response.headers).not.toHaveProperty('content-range');
      expect(response.headers).not.toHaveProperty('etag');
      expect(response.headers['content-type']).toContain('application/json');
      expect(response.headers['cache-control']).toBe('no-store');
      expect(JSON.stringify([response.headers, response.body])).not.toContain(key);
      expect(test.logText()).toContain(key);
    },
  );
});

describe('a cover', () => {
  it('is public and cached forever under its name', async () => {
    const bytes = Buffer.from('RIFF picture');
    await test.deps.storage.put('covers/abc123.webp', bytes);
    const response = await test.app.inject({ url: '/media/covers/abc123.webp' });
    expect(response.rawPayload).toEqual(bytes);
    expect(response.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await test.app.inject({ url: '/media/covers/none.webp' })).statusCode).toBe(404);
  });
});

describe('behind nginx', () => {
  it('only names the file, after the same check', async () => {
    await restart({ env: { ACCEL_PREFIX: '/protected' } });
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const response = await request({ headers });
      expect(response.statusCode).toBe(200);
      expect(response.rawPayload).toHaveLength(0);
      expect(response.headers).toMatchObject({
        'x-accel-redirect': `/protected/tracks/${track.id}-stream.bin`,
        'content-type': 'audio/mpeg',
        'cache-control': 'private, no-cache',
      });
      expect(response.headers).not.toHaveProperty('content-range');
    }
    const refused = await test.app.inject({ url: `/media/tracks/${track.id}/stream` });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers).not.toHaveProperty('x-accel-redirect');
  });

  it('answers real requests the same way, until access ends', async () => {
    await restart({ env: { ACCEL_PREFIX: '/protected' } });
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = test.app.server.address() as AddressInfo;
    const cookie = cookieOf(subscriber.client);
    const ask = (path: string, more: Partial<RawRequest> = {}) =>
      sendRaw({ port, path: `/media/tracks/${path}`, headers: { cookie }, ...more });
    const redirected = await sendRaw({ port, path: await readFileUrl(), headers: { cookie } });
    expect(redirected).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    expect(redirected.headers).toMatchObject({
      'x-accel-redirect': `/protected/tracks/${track.id}-stream.bin`,
      'content-type': 'audio/mpeg',
      'cache-control': 'private, no-cache',
    });
    const plain = await ask(`${track.id}/stream`);
    for (const name of ['x-accel-redirect', 'content-type', 'cache-control'])
      expect(plain.headers[name]).toBe(redirected.headers[name]);
    const preview = await ask(`${track.id}/preview`, { headers: {} });
    expect(preview.headers).toMatchObject({ 'cache-control': 'public, max-age=86400' });

    const { status, headers } = await ask(`${track.id}/stream`, { headers: {} });
    expect(status).toBe(401);
    expect(headers).toHaveProperty('x-request-id');
    expect(headers).not.toHaveProperty('x-accel-redirect');
    expect(test.logText()).toContain(`${track.id}/stream`);
    expect(await ask('nobody/stream')).toMatchObject({ status: 404 });
    expect(await ask(`${track.id}/flac`)).toMatchObject({ status: 404 });
    expect(await ask(`${track.id}/stream`, { method: 'HEAD' })).toMatchObject({ status: 200 });
    const etag = `"${track.id}-stream.bin"`;
    const again = { headers: { cookie, 'if-none-match': etag } };
    expect(await ask(`${track.id}/stream`, again)).toMatchObject({ status: 304 });
    test.clock.advance(MONTH + GRACE_MS + 1);
    expect((await ask(`${track.id}/stream`)).status).toBeGreaterThan(400);
  });

  it('lets the routes answer and end the connection while the server closes', async () => {
    await restart({ env: { ACCEL_PREFIX: '/protected' } });
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = test.app.server.address() as AddressInfo;
    const accepted = once(test.app.server, 'connection');
    const line = connect(port, '127.0.0.1');
    line.write(
      `GET ${await readFileUrl()} HTTP/1.1\r\nhost: a\r\ncookie: ${cookieOf(subscriber.client)}\r\n`,
    );
    const [socket] = (await accepted) as [Socket];
    await vi.waitFor(() => expect(socket.bytesRead).toBeGreaterThan(0));
    const closing = test.app.close();
    await vi.waitFor(() => expect(test.app.server.listening).toBe(false));
    line.write('\r\n');
    const answer = await text(line);
    expect(answer).toContain('x-accel-redirect: /protected/');
    expect(answer).toMatch(/^connection: close\r$/im);
    await closing;
  });

  it('answers simultaneous requests independently', async () => {
    await restart({ env: { ACCEL_PREFIX: '/protected' } });
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = test.app.server.address() as AddressInfo;
    const cookie = cookieOf(subscriber.client);
    const agent = new Agent({ keepAlive: true });
    const ask = async (path: string, headers = {}) => {
      const answer = await sendRaw({ agent, port, path: `/media/tracks/${path}`, headers });
      return answer.headers['x-accel-redirect'] ?? answer.status;
    };
    const askAll = () =>
      Promise.all([
        ask(`${track.id}/stream`, { cookie }),
        ask(`${track.id}/stream`),
        ask(`${track.id}/preview`),
        ask('nobody/stream', { cookie }),
      ]);
    // Over connections that stand already, everything is there when the server looks.
    await askAll();
    const answers = await askAll();
    agent.destroy();
    expect(answers).toEqual([
      `/protected/tracks/${track.id}-stream.bin`,
      401,
      `/protected/${seededKey(track, 'preview')}`,
      404,
    ]);
  });
});

/** The URL as the app gets it, including its query. */
async function readFileUrl(): Promise<string> {
  const response = await subscriber.client.request({ url: `/api/tracks/${track.id}` });
  return response.json<{ fileUrl: string }>().fileUrl;
}

describe('with an S3 store', () => {
  it('redirects to a signed address for a few minutes, after the same check', async () => {
    const server = await startS3Server();
    try {
      await restart({ config: { s3: server.settings } });
      const response = await request({ headers: { range: 'bytes=0-9' } });
      expect(response.statusCode).toBe(302);
      expect(response.rawPayload).toHaveLength(0);
      expect(response.headers['cache-control']).toBe('private, no-store');
      const address = new URL(String(response.headers.location));
      expect(address.origin).toBe(server.settings.endpoint);
      expect(Number(address.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(300);
      const part = await fetch(address, { headers: { range: 'bytes=0-9' } });
      expect(part.status).toBe(206);
      expect(await part.text()).toBe(whole.toString('utf8', 0, 10));

      const refused = await test.app.inject({ url: `/media/tracks/${track.id}/stream` });
      expect(refused.statusCode).toBe(401);
      expect(refused.headers).not.toHaveProperty('location');

      await test.deps.storage.put('covers/abc123.webp', Buffer.from('picture'));
      const cover = await test.app.inject({ url: '/media/covers/abc123.webp' });
      expect(cover.statusCode).toBe(200);
      expect(cover.body).toBe('picture');

      const page = await test.app.inject({ url: '/', headers: { accept: 'text/html' } });
      const policy = String(page.headers['content-security-policy']);
      expect(policy).toMatch(new RegExp(`media-src [^;]*${server.settings.endpoint}`));
      expect(policy).toMatch(new RegExp(`img-src [^;]*${server.settings.endpoint}`));
      expect(policy).not.toMatch(new RegExp(`script-src [^;]*${server.settings.endpoint}`));
    } finally {
      await server.close();
    }
  });
});
