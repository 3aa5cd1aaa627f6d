import { MutationObserver, QueryObserver, type QueryClient } from '@tanstack/react-query';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { loginMutation, logoutMutation, registerMutation, updateProfileMutation } from './api.ts';

const user: User = {
  id: 'u1',
  username: 'thandi',
  email: 'thandi@example.com',
  isSubscriber: true,
  isAdmin: false,
  avatarUrl: null,
  offlineUntil: null,
};

let server: Server;
let status: number;
let answer: User | null;
let onLogout: () => void;
let received: string[];
const stored = new Map<string, string>();

beforeAll(async () => {
  server = createServer((req, res) => {
    received.push(`${req.method} ${req.url}`);
    onLogout();
    res.writeHead(status).end(answer && JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetchAbsolute = globalThis.fetch;
  // In Node, relative paths need an origin.
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetchAbsolute(origin + path, init));
  vi.stubGlobal('sessionStorage', {
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  received = [];
  stored.clear();
  status = 204;
  answer = null;
  onLogout = () => {};
});

/** A query that never finishes; returns the abort signal of each request. */
function querySlowly(client: QueryClient): AbortSignal[] {
  const signals: AbortSignal[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['/api/history'],
    queryFn: ({ signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  });
  observer.subscribe(() => {});
  return signals;
}

const renamed: User = { ...user, username: 'zanele', email: 'zanele@example.com' };
const login = { username: 'thandi', password: 'a-quiet-harbour' };

it.each([
  {
    what: 'logging in',
    request: 'POST /api/auth/login',
    before: null,
    run: (client: QueryClient) => new MutationObserver(client, loginMutation(client)).mutate(login),
  },
  {
    what: 'registering',
    request: 'POST /api/auth/register',
    before: null,
    run: (client: QueryClient) =>
      new MutationObserver(client, registerMutation(client)).mutate({
        ...login,
        email: user.email,
      }),
  },
  {
    what: 'updating the profile',
    request: 'PATCH /api/users/u1',
    // The response replaces it all: what the server no longer says is gone.
    before: { ...user, avatarUrl: '/media/avatars/old.webp' },
    run: (client: QueryClient) =>
      new MutationObserver(client, updateProfileMutation(client)).mutate({
        id: 'u1',
        username: 'zanele',
      }),
  },
])('$what sets the user of the response, and asks for nothing else', async (each) => {
  const client = createQueryClient();
  client.setQueryData(currentUserQuery.queryKey, each.before);
  status = 200;
  answer = renamed;
  await each.run(client);
  expect(received).toEqual([each.request]);
  expect(client.getQueryData(currentUserQuery.queryKey)).toEqual(renamed);
  expect(JSON.parse(stored.get('auth-user') ?? '')).toEqual(renamed);
});

it('logging out cancels running queries before the session ends and leaves the page', async () => {
  const client = createQueryClient();
  const signals = querySlowly(client);
  const events: unknown[] = [];
  onLogout = () => events.push(signals.map(({ aborted }) => aborted));
  const leavePage = () => events.push(client.getQueryData(currentUserQuery.queryKey));
  client.setQueryData(currentUserQuery.queryKey, user);
  void new MutationObserver(client, logoutMutation(client, leavePage)).mutate();
  await expect.poll(() => events).toEqual([[true], user]);
  expect(client.getQueryData(currentUserQuery.queryKey)).toBeNull();
});

it('a failed logout restarts the cancelled queries', async () => {
  const client = createQueryClient();
  const signals = querySlowly(client);
  status = 500;
  const options = { ...logoutMutation(client), retry: false };
  void new MutationObserver(client, options).mutate().catch(() => undefined);
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

it('logging out clears the user and its copy, and invalidates every query', async () => {
  const client = createQueryClient();
  client.setQueryData(currentUserQuery.queryKey, user);
  stored.set('auth-user', JSON.stringify(user));
  client.setQueryData(['/api/favorites'], { items: [] });
  client.setQueryData(['/api/tracks', { page: 2 }], { items: [] });

  await new MutationObserver(client, logoutMutation(client)).mutate();

  expect(received).toEqual(['POST /api/auth/logout']);
  expect(client.getQueryData(currentUserQuery.queryKey)).toBeNull();
  expect(stored.has('auth-user')).toBe(false);
  const queries = client.getQueryCache().getAll();
  expect(queries.map(({ queryKey, state }) => [queryKey[0], state.isInvalidated])).toEqual([
    ['/api/auth/me', true],
    ['/api/favorites', true],
    ['/api/tracks', true],
  ]);
});
