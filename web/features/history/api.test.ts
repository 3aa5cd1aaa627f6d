import { QueryObserver } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { buildTrack } from '#web/testing/build-track.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { trackQuery } from '#web/features/tracks/api.ts';
import { refreshListening, replaceProgress, startedQuery } from './api.ts';

const progress = { position: 300, listened: 300, isFinished: true, listenedAt: 9 };
const [a, b] = [buildTrack('a'), buildTrack('b')];

describe('the progress of a track in loaded data', () => {
  it.each([
    ['a list', { items: [a, b], nextCursor: null }, 'items.0'],
    ['a list with entries', { items: [{ track: b }, { track: a }] }, 'items.1.track'],
    [
      'pages',
      { pages: [{ items: [b] }, { items: [a] }], pageParams: [null, 'x'] },
      'pages.1.items.0',
    ],
    ['its own page', a, ''],
  ])('is replaced in %s, and nothing else', (_where, data, path) => {
    const replaced = replaceProgress<unknown>(data, 'a', progress);
    const expected = structuredClone(data) as Record<string, unknown>;
    const keys = path === '' ? [] : path.split('.');
    const target = keys.reduce((at, key) => at[key] as Record<string, unknown>, expected);
    target['progress'] = progress;
    expect(replaced).toEqual(expected);
  });

  it.each([[{ items: [b] }], [null], [undefined], ['text'], [{ id: 'a', name: 'A playlist' }]])(
    'leaves %j as it is',
    (data) => expect(replaceProgress<unknown>(data, 'a', progress)).toBe(data),
  );
});

describe('after listening', () => {
  function createPage(user: object | null) {
    const client = createQueryClient();
    const requested: unknown[] = [];
    client.setDefaultOptions({
      queries: {
        ...client.getDefaultOptions().queries,
        retry: false,
        queryFn: async ({ queryKey }) => {
          requested.push(queryKey[0]);
          return queryKey[0] === '/api/tracks/a' ? { ...a, progress } : { items: [] };
        },
      },
    });
    client.setQueryData(currentUserQuery.queryKey, user as never);
    const lists: [readonly unknown[], unknown][] = [
      [['/api/tracks?limit=7'], { items: [a, b] }],
      [['/api/tracks', 'pages', { state: 'missed' }], { pages: [{ items: [a] }] }],
      [['/api/tracks', 'pages', { genre: 'Gqom' }], { pages: [{ items: [a] }] }],
      [startedQuery.queryKey, { items: [{ track: a }] }],
    ];
    for (const [queryKey, data] of lists) {
      client.setQueryData(queryKey, data, { updatedAt: 5 });
      const observer = new QueryObserver(client, { queryKey, staleTime: Infinity });
      observer.subscribe(() => undefined);
    }
    return { client, requested };
  }

  it('every loaded list shows it, and only lists that depend on it are loaded again', async () => {
    const { client, requested } = createPage({ id: 'me' });
    await refreshListening(client, 'a');
    expect(requested).toEqual(['/api/tracks/a', '/api/tracks', startedQuery.queryKey[0]]);
    const newest = client.getQueryState(['/api/tracks?limit=7']);
    expect(newest?.data).toEqual({ items: [{ ...a, progress }, b] });
    expect(newest?.dataUpdatedAt).toBe(5);
    expect(client.getQueryData(trackQuery('a').queryKey)).toMatchObject({ progress });
  });

  it('a list that was due to load again still is', async () => {
    const { client } = createPage({ id: 'me' });
    const queryKey = ['/api/favorites'];
    client.setQueryData(queryKey, { items: [a] });
    await client.invalidateQueries({ queryKey });
    await refreshListening(client, 'a');
    expect(client.getQueryState(queryKey)).toMatchObject({
      data: { items: [{ ...a, progress }] },
      isInvalidated: true,
    });
  });

  it('nothing is loaded for visitors', async () => {
    const { client, requested } = createPage(null);
    await refreshListening(client, 'a');
    expect(requested).toEqual([]);
  });
});
