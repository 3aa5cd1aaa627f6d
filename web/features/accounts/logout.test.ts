import { MutationObserver } from '@tanstack/react-query';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { currentUserQuery } from '#web/lib/current-user.ts';
import { createQueryClient } from '#web/lib/query-client.ts';
import { logoutMutation } from './api.ts';

let server: Server;
const received: string[] = [];

beforeAll(async () => {
  server = createServer((req, res) => {
    received.push(`${req.method} ${req.url}`);
    res.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetchAbsolute = globalThis.fetch;
  // A page has an address that paths start from; a process has none.
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetchAbsolute(origin + path, init));
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

it('logging out forgets who was signed in and invalidates every query', async () => {
  const client = createQueryClient();
  const user: User = {
    id: 'u1',
    username: 'thandi',
    email: 'thandi@example.com',
    isSubscriber: true,
    isAdmin: false,
    avatarUrl: null,
    offlineUntil: null,
  };
  client.setQueryData(currentUserQuery.queryKey, user);
  client.setQueryData(['/api/favorites'], { items: [] });
  client.setQueryData(['/api/tracks', { page: 2 }], { items: [] });

  await new MutationObserver(client, logoutMutation(client)).mutate();

  expect(received).toEqual(['POST /api/auth/logout']);
  expect(client.getQueryData(currentUserQuery.queryKey)).toBeNull();
  const queries = client.getQueryCache().getAll();
  expect(queries.map(({ queryKey, state }) => [queryKey[0], state.isInvalidated])).toEqual([
    ['/api/auth/me', true],
    ['/api/favorites', true],
    ['/api/tracks', true],
  ]);
});
