import { afterEach, expect, it, vi } from 'vitest';
import { ApiError } from './api.ts';
import { apiQuery, pagedQuery, refreshPaths } from './api-query.ts';
import { createQueryClient, retryOnce } from './query-client.ts';

const requests: string[] = [];

function respondWith(...bodies: object[]): void {
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url);
    return Promise.resolve(Response.json(bodies.shift()));
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
  requests.length = 0;
});

it('a query calls its route with the given input', async () => {
  respondWith({ id: 'p1' });
  const query = apiQuery('GET /api/playlists/:id', { params: { id: 'p1' } });
  expect(await createQueryClient().fetchQuery(query)).toEqual({ id: 'p1' });
  expect(requests).toEqual(['/api/playlists/p1']);
});

it('a paged query follows the cursors until there is none', async () => {
  respondWith({ items: [1], nextCursor: 'next' }, { items: [2], nextCursor: null });
  const query = pagedQuery('GET /api/playlists', { query: { limit: 50 } });
  const { pages } = await createQueryClient().fetchInfiniteQuery({ ...query, pages: 5 });
  expect(pages.map((page) => page.items)).toEqual([[1], [2]]);
  expect(requests).toEqual(['/api/playlists?limit=50', '/api/playlists?limit=50&cursor=next']);
});

it('an outage is retried once, a rejected request never', () => {
  expect(retryOnce(0, new Error('No connection'))).toBe(true);
  expect(retryOnce(0, new ApiError(503, ''))).toBe(true);
  expect(retryOnce(1, new ApiError(503, ''))).toBe(false);
  expect(retryOnce(0, new ApiError(404, ''))).toBe(false);
});

it('refreshes an address with what is below it, and nothing beside it', async () => {
  const client = createQueryClient();
  const keys = [
    ['/api/a/tracks?q=x'],
    ['/api/a/tracks', 'pages', {}],
    ['/api/a/tracks/t1'],
    ['/api/a/tracks-of'],
  ];
  for (const key of keys) client.setQueryData(key, {});
  await refreshPaths(client, '/api/a/tracks');
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([
    true,
    true,
    true,
    false,
  ]);
  client.clear();
});
