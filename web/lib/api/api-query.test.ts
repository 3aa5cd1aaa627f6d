import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { ApiError } from './api.ts';
import { apiQuery, pagedQuery } from './api-query.ts';
import { retryOnce } from './query-client.ts';

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
  const query = apiQuery(['playlist'], 'GET /api/playlists/:id', { params: { id: 'p1' } });
  expect(await new QueryClient().fetchQuery(query)).toEqual({ id: 'p1' });
  expect(requests).toEqual(['/api/playlists/p1']);
});

it('a paged query follows the cursors until there is none', async () => {
  respondWith({ items: [1], nextCursor: 'next' }, { items: [2], nextCursor: null });
  const query = pagedQuery(['playlists'], 'GET /api/playlists', { query: { limit: 50 } });
  const { pages } = await new QueryClient().fetchInfiniteQuery({ ...query, pages: 5 });
  expect(pages.map((page) => page.items)).toEqual([[1], [2]]);
  expect(requests).toEqual(['/api/playlists?limit=50', '/api/playlists?limit=50&cursor=next']);
});

it('an outage is retried once, a rejected request never', () => {
  expect(retryOnce(0, new Error('No connection'))).toBe(true);
  expect(retryOnce(0, new ApiError(503, ''))).toBe(true);
  expect(retryOnce(1, new ApiError(503, ''))).toBe(false);
  expect(retryOnce(0, new ApiError(404, ''))).toBe(false);
});
