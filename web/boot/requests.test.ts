import {
  focusManager,
  InfiniteQueryObserver,
  MutationObserver,
  QueryObserver,
  type QueryClient,
} from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { achievementsQuery } from '#web/features/achievements/api.ts';
import { plansQuery, subscriptionQuery } from '#web/features/billing/api.ts';
import { chartQuery } from '#web/features/charts/api.ts';
import { downloadsQuery } from '#web/features/downloads/api.ts';
import { favoriteQuery } from '#web/features/favorites/api.ts';
import { playlistQuery } from '#web/features/playlists/api.ts';
import { suggestQuery } from '#web/features/search/api.ts';
import {
  facetsQuery,
  neighboursQuery,
  peaksQuery,
  trackQuery,
  tracksQuery,
} from '#web/features/tracks/api.ts';
import { trackPagesQuery } from '#web/features/tracks/track-pages.ts';
import { call, request } from '#web/lib/api/api.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';

type Answer = { status: number; body?: unknown };
type Asked = { url: string; headers: Record<string, string> };

let asked: Asked[];

/** Answers in order; the last answer repeats. */
function answerWith(...answers: Answer[]): void {
  asked = [];
  vi.stubGlobal('fetch', (url: string, { headers }: { headers: Record<string, string> }) => {
    asked.push({ url, headers });
    const { status, body } = answers[asked.length - 1] ?? answers.at(-1) ?? { status: 500 };
    return Promise.resolve(Response.json(body ?? {}, { status }));
  });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Result = { data: unknown; error: Error | null };

const ask = (options: object) => (client: QueryClient) => {
  const observer = new QueryObserver(client, options as never);
  observer.subscribe(() => {});
  return (): Result => observer.getCurrentResult();
};
const askForPages = (options: object) => (client: QueryClient) => {
  const observer = new InfiniteQueryObserver(client, options as never);
  observer.subscribe(() => {});
  return (): Result => observer.getCurrentResult();
};

const catalogueQueries: [string, (client: QueryClient) => () => Result][] = [
  ['/api/top-20', ask(chartQuery(null))],
  ['/api/tracks?limit=6', ask(tracksQuery({ limit: 6 }))],
  ['/api/tracks/t1', ask(trackQuery('t1'))],
  ['/api/tracks/t1/peaks', ask(peaksQuery('t1'))],
  ['/api/tracks/t1/neighbours', ask(neighboursQuery('t1'))],
  ['/api/tracks/facets', ask(facetsQuery)],
  ['/api/tracks/suggest?q=amapiano', ask(suggestQuery('amapiano'))],
  ['/api/tracks?limit=50', askForPages(trackPagesQuery('GET /api/tracks'))],
  [
    '/api/tracks/search?limit=20&q=gqom',
    askForPages(trackPagesQuery('GET /api/tracks/search', { limit: 20, q: 'gqom' })),
  ],
  ['/api/downloads?limit=50', askForPages(downloadsQuery)],
];

const settle = () => vi.advanceTimersByTimeAsync(5_000);

async function expectOneRetry(start: (client: QueryClient) => () => Result): Promise<void> {
  answerWith({ status: 503 });
  const read = start(createQueryClient());
  await settle();
  expect(asked).toHaveLength(2);
  expect(read().error).toBeInstanceOf(Error);
}

describe('every query of tracks, the chart and downloads', () => {
  it.each(catalogueQueries)(
    '%s is asked twice if the first answer is a 503',
    async (url, start) => {
      answerWith({ status: 503 }, { status: 200, body: { items: [], nextCursor: null } });
      const read = start(createQueryClient());
      await settle();
      expect(asked.map((one) => one.url)).toEqual([url, url]);
      expect(read()).toMatchObject({ error: null });
      expect(read().data).toBeDefined();
      await expectOneRetry(start);
    },
  );

  it.each(catalogueQueries)(
    '%s sends the JSON content type and fails with the status',
    async (_url, start) => {
      answerWith({ status: 403, body: { code: 'forbidden', message: 'No.' } });
      const read = start(createQueryClient());
      await settle();
      expect(asked[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
      expect(read().error?.message).toBe('API Error: 403');
    },
  );

  it('sends and fails like the requests of the player and saved files, which aren’t queries', async () => {
    answerWith({ status: 404 });
    await expect(call('GET /api/tracks/:id', { params: { id: 't1' } })).rejects.toThrow(
      /^API Error: 404$/,
    );
    await expect(call('GET /api/tracks/:id/peaks', { params: { id: 't1' } })).rejects.toThrow(
      /^API Error: 404$/,
    );
    for (const { headers } of asked)
      expect(headers).toMatchObject({ 'content-type': 'application/json' });
  });
});

it('the favorite of a track is read like the catalogue, and each failure is logged', async () => {
  const start = ask(favoriteQuery('t1', 'u1'));
  const log = vi.spyOn(console, 'error').mockReturnValue();
  answerWith({ status: 503 }, { status: 200, body: { isFavorite: true } });
  const read = start(createQueryClient());
  await settle();
  expect(asked.map(({ url }) => url)).toEqual(Array(2).fill('/api/tracks/t1/favorite'));
  expect(asked[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
  expect(read().data).toEqual({ isFavorite: true });
  expect(log.mock.calls.map(String)).toEqual([
    'Couldn’t load the favorite status,CatalogueError: API Error: 503',
  ]);
  log.mockClear();
});

describe('every other query', () => {
  const others: [string, (client: QueryClient) => () => Result][] = [
    ['/api/achievements', ask(achievementsQuery)],
    ['/api/subscription', ask(subscriptionQuery)],
    ['/api/plans', ask(plansQuery)],
    ['/api/playlists/p1', ask(playlistQuery('p1'))],
  ];

  it.each(others)('%s is asked twice if the first answer is a 503', async (url, start) => {
    answerWith({ status: 503 }, { status: 200, body: { items: [] } });
    const read = start(createQueryClient());
    await settle();
    expect(asked.map((one) => one.url)).toEqual([url, url]);
    expect(read()).toMatchObject({ data: { items: [] }, error: null });
    await expectOneRetry(start);
  });

  it.each(others)(
    '%s is null once the user is logged out, and the login is checked',
    async (url, start) => {
      answerWith({ status: 401, body: { code: 'unauthenticated', message: 'Log in.' } });
      const client = createQueryClient();
      client.setQueryData(['/api/auth/me'], { id: 'u1' });
      const read = start(client);
      await settle();
      expect(read()).toMatchObject({ data: null, error: null });
      expect(asked.map((one) => one.url)).toEqual([url]);
      expect(client.getQueryState(['/api/auth/me'])?.isInvalidated).toBe(true);
    },
  );

  it.each([...catalogueQueries, ...others])(
    '%s is not asked again by itself',
    async (_url, start) => {
      answerWith({ status: 200, body: { items: [], nextCursor: null } });
      start(createQueryClient());
      await vi.advanceTimersByTimeAsync(600_000);
      expect(asked).toHaveLength(1);
    },
  );

  const stayingFresh = ['/api/tracks/t1/peaks', '/api/tracks/suggest?q=amapiano', '/api/plans'];

  it.each([...catalogueQueries, ...others])(
    '%s is stale at once: the window asks again when it gets the focus',
    async (url, start) => {
      answerWith({ status: 200, body: { items: [], nextCursor: null } });
      const client = createQueryClient();
      client.mount();
      start(client);
      await settle();
      focusManager.setFocused(false);
      focusManager.setFocused(true);
      await settle();
      client.unmount();
      focusManager.setFocused(undefined);
      expect(asked).toHaveLength(stayingFresh.includes(url) ? 1 : 2);
    },
  );
});

it('every request for the user goes through the helper that disables caches', async () => {
  answerWith({ status: 200, body: { id: 'u1' } });
  const client = createQueryClient();
  await client.fetchQuery(currentUserQuery);
  await call('GET /api/auth/me');
  await request('/api/auth/me');
  expect(asked).toHaveLength(3);
  for (const { headers } of asked)
    expect(headers).toEqual({ 'cache-control': 'no-cache', pragma: 'no-cache' });
});

it('a mutation that fails is sent once more', async () => {
  answerWith({ status: 503 });
  const mutationFn = () => call('POST /api/auth/logout');
  const sent = new MutationObserver(createQueryClient(), { mutationFn }).mutate();
  await Promise.all([expect(sent).rejects.toThrow(/^503: /), settle()]);
  expect(asked.map(({ url }) => url)).toEqual(Array(2).fill('/api/auth/logout'));
});
