import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApiError, buildPath, request, REQUEST_TIMEOUT_MS, resolveUrl } from './api.ts';
import { findStaleTime } from './fresh-for-a-moment.ts';
import { createQueryClient, fetchByKey } from './query-client.ts';

let server: Server;
let origin: string;
let reply: { status: number; body: string } | 'never' | 'half';
let onHalf: () => void = () => undefined;
let received: { url: string; contentType: string | undefined }[] = [];

beforeAll(async () => {
  server = createServer((req, res) => {
    received.push({ url: req.url ?? '', contentType: req.headers['content-type'] });
    if (reply === 'never') return;
    if (reply === 'half') {
      res.writeHead(200, { 'content-length': 100 });
      res.write('{', () => onHalf());
      return;
    }
    res.writeHead(reply.status).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  received = [];
  vi.useRealTimers();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const query = (path: string) =>
  fetchByKey({
    queryKey: [origin + path, { page: 2 }],
    signal: new AbortController().signal,
    client: createQueryClient(),
    meta: undefined,
  });

describe('an error response', () => {
  it("provides the server's message, code and fields", () => {
    const error = new ApiError(
      409,
      '{"code":"email_taken","message":"This address is taken.","fields":{"email":"Taken."}}',
    );
    expect(error.message).toBe('This address is taken.');
    expect(error.code).toBe('email_taken');
    expect(error.fields).toEqual({ email: 'Taken.' });
    expect(error.hasServerMessage).toBe(true);
  });

  it.each([
    [502, '<html>Bad gateway</html>', '502: <html>Bad gateway</html>'],
    [500, '{"code":"internal"}', '500: {"code":"internal"}'],
    [500, '', '500: '],
    [500, '"text"', '500: "text"'],
  ])('without a message uses status %i and the body', (status, body, message) => {
    const error = new ApiError(status, body);
    expect(error.message).toBe(message);
    expect(error.hasServerMessage).toBe(false);
  });
});

describe('a request', () => {
  it('times out after 30 seconds with a plain message', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const fetching = vi.spyOn(globalThis, 'fetch');
    reply = 'never';
    const answered = request(`${origin}/api/version`);
    const { signal } = fetching.mock.calls[0]?.[1] ?? {};
    fetching.mockRestore();
    vi.advanceTimersByTime(29_999);
    expect(signal?.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    await expect(answered).rejects.toThrow('API request timed out');
  });

  it('also times out on a body that never ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    reply = 'half';
    const started = new Promise<void>((resolve) => {
      onHalf = resolve;
    });
    const answered = request(`${origin}/api/version`);
    await started;
    vi.advanceTimersByTime(REQUEST_TIMEOUT_MS);
    await expect(answered).rejects.toThrow('API request timed out');
  });

  it('sends only reset-password calls to the authentication host', () => {
    const host = 'https://auth.example.com';
    expect(resolveUrl('/api/auth/reset-password/request', host)).toBe(
      'https://auth.example.com/api/auth/reset-password/request',
    );
    expect(resolveUrl('/api/auth/reset-password/confirm', host)).toBe(
      'https://auth.example.com/api/auth/reset-password/confirm',
    );
    expect(resolveUrl('/api/auth/login', host)).toBe('/api/auth/login');
    expect(resolveUrl('/api/auth/reset-password/request', '')).toBe(
      '/api/auth/reset-password/request',
    );
  });

  it('fills in and escapes path parameters', () => {
    expect(buildPath('/api/users/:id', { id: 'a/b?c' }, { page: 2, none: undefined })).toBe(
      '/api/users/a%2Fb%3Fc?page=2',
    );
  });
});

describe('the default query', () => {
  it('requests the URL in the first part of its key', async () => {
    reply = { status: 200, body: '{"items":[]}' };
    await expect(query('/api/favorites')).resolves.toEqual({ items: [] });
    expect(received).toEqual([{ url: '/api/favorites', contentType: undefined }]);
  });

  it('returns null when the user is logged out', async () => {
    reply = { status: 401, body: '{"code":"unauthenticated","message":"Log in."}' };
    await expect(query('/api/favorites')).resolves.toBeNull();
  });

  it.each(['/api/tracks', '/api/top-20', '/api/downloads'])(
    'reads %s as JSON and fails with the status alone',
    async (path) => {
      reply = { status: 200, body: '{"items":[1]}' };
      await expect(query(path)).resolves.toEqual({ items: [1] });
      reply = { status: 401, body: '{"code":"unauthenticated","message":"Log in."}' };
      await expect(query(path)).rejects.toThrow(/^API Error: 401$/);
      expect(received.map(({ contentType }) => contentType)).toEqual(
        Array(2).fill('application/json'),
      );
    },
  );

  it('retries once, is stale immediately, refetches on focus and never polls', () => {
    const client = createQueryClient();
    expect(client.getDefaultOptions()).toMatchObject({
      queries: {
        retry: 1,
        staleTime: findStaleTime,
        refetchOnWindowFocus: true,
        refetchInterval: false,
      },
      mutations: { retry: 1 },
    });
    const cached = client.getQueryCache().build(client, { queryKey: ['/api/version'] });
    cached.setData({ version: '1' });
    expect(findStaleTime(cached)).toBe(0);
    client.clear();
  });
});
