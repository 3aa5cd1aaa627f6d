import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startS3Server, type TestS3 } from '../../testing/s3-server.ts';
import { describeStorage } from '../../testing/storage-contract.ts';
import { createStorage } from './create-storage.ts';
import { createS3Storage } from './s3-storage.ts';

describeStorage('an S3-compatible store', async () => {
  const server = await startS3Server();
  return { storage: createS3Storage(server.settings), close: server.close };
});

describe('a signed URL', () => {
  let server: TestS3;
  beforeAll(async () => {
    server = await startS3Server();
    await createS3Storage(server.settings).put('tests/a.mp3', Buffer.from('0123456789'));
  });
  afterAll(() => server.close());
  afterEach(() => {
    vi.useRealTimers();
  });

  const sign = () =>
    createS3Storage(server.settings).presignRead('tests/a.mp3', {
      expiresInSeconds: 120,
      mediaType: 'audio/mpeg',
    });

  it('works without credentials, with the media type and ranges', async () => {
    const url = await sign();
    const whole = await fetch(url);
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-type')).toBe('audio/mpeg');
    expect(whole.headers.get('cache-control')).toBe('private');
    expect(await whole.text()).toBe('0123456789');
    const part = await fetch(url, { headers: { range: 'bytes=2-4' } });
    expect(part.status).toBe(206);
    expect(await part.text()).toBe('234');
  });

  it('expires', async () => {
    const now = Date.now();
    // The store may have a clock of its own, so the signatures are what is older or newer.
    const signAt = (time: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: time });
      return sign().finally(() => vi.useRealTimers());
    };
    expect((await fetch(await signAt(now - 60_000))).status).toBe(200);
    const late = await fetch(await signAt(now - 121_000));
    expect(late.status).toBe(403);
    expect(await late.text()).not.toContain('0123456789');
  });

  it('does not contain the secret', async () => {
    const secretAccessKey = 'do-not-tell';
    const storage = createS3Storage({ ...server.settings, secretAccessKey });
    const options = { expiresInSeconds: 1, mediaType: 'audio/mpeg' };
    expect(await storage.presignRead('tests/a.mp3', options)).not.toContain(secretAccessKey);
  });

  it('is only created for valid keys', async () => {
    const storage = createS3Storage(server.settings);
    const options = { expiresInSeconds: 1, mediaType: 'audio/mpeg' };
    await expect(storage.presignRead('../other', options)).rejects.toThrow(/Not a storage key/);
  });
});

/** A store that answers like this to everything. */
async function startStore(answer: RequestListener) {
  const store = createServer(answer);
  await once(store.listen(0, '127.0.0.1'), 'listening');
  const { port } = store.address() as AddressInfo;
  const close = async () => {
    store.closeAllConnections();
    store.close();
    await once(store, 'close');
  };
  return { endpoint: `http://127.0.0.1:${port}`, close };
}

describe('an S3 store that fails', () => {
  let server: TestS3;
  beforeAll(async () => {
    server = await startS3Server();
  });
  afterAll(() => server.close());

  it('is not mistaken for a missing file', async () => {
    const storage = createS3Storage({ ...server.settings, bucket: 'no-such-bucket' });
    await expect(storage.open('tests/a')).rejects.toThrow(/bucket/i);
    await expect(storage.put('tests/a', Buffer.from('x'))).rejects.toThrow(/bucket/i);
    await expect(storage.stat('tests/a')).rejects.toThrow(/bucket/i);
    await expect(storage.probe()).rejects.toThrow(/bucket/i);
  });

  it('is an error when it returns a different range', async () => {
    const { endpoint, close } = await startStore((_request, response) =>
      response.writeHead(206, { 'content-range': 'bytes 0-9/10' }).end('0123456789'),
    );
    const storage = createS3Storage({ ...server.settings, endpoint });
    await expect(storage.open('tests/a', { start: 0, end: 0 })).rejects.toThrow(/instead of/);
    await close();
  });

  it.each([
    ['<Error><Code>InvalidAccessKeyId</Code></Error>', /403 InvalidAccessKeyId.+S3_ACCESS_KEY_ID/],
    ['<Error><Code>SomethingElse</Code></Error>', /403 SomethingElse\.$/],
    ['', /403\.$/],
  ])('is explained if it says nothing but %j', async (body, expected) => {
    const { endpoint, close } = await startStore((_request, response) =>
      response.writeHead(403, { 'content-type': 'application/xml' }).end(body),
    );
    const storage = createS3Storage({ ...server.settings, endpoint });
    await expect(storage.open('tests/a')).rejects.toThrow(expected);
    await close();
  });

  it('fails its probe with wrong credentials', async () => {
    const storage = createS3Storage({ ...server.settings, accessKeyId: 'NOBODY' });
    await expect(storage.probe()).rejects.toThrow(/access key/i);
  });
});

it('the settings choose the store, the local disk by default', async () => {
  const server = await startS3Server();
  try {
    const storage = createStorage({ s3: server.settings, dataDir: '/nowhere' });
    expect(storage.localPath).toBeNull();
    await storage.put('tests/a', Buffer.from('there'));
    expect(await createS3Storage(server.settings).stat('tests/a')).toEqual({ size: 5 });
    expect(await storage.stat('tests/a')).toEqual({ size: 5 });
    await expect(storage.probe()).resolves.toBeUndefined();
  } finally {
    await server.close();
  }
  expect(createStorage({ s3: null, dataDir: '/nowhere' }).presignRead).toBeNull();
});

it('gives up a store that takes requests and says nothing', async () => {
  const { endpoint, close } = await startStore(() => undefined);
  const account = { accessKeyId: 'a', secretAccessKey: 'b' };
  const settings = { endpoint, region: 'us-east-1', bucket: 'music', ...account };
  const storage = createS3Storage(settings, { silenceMs: 20 });
  await expect(storage.stat('masters/a.wav')).rejects.toThrow(/time/i);
  await expect(storage.put('masters/a.wav', Buffer.from('x'))).rejects.toThrow(/time/i);
  await expect(storage.delete('masters/a.wav')).rejects.toThrow(/time/i);
  await close();
});
