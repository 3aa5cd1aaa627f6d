import { expect, it } from 'vitest';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import { favoriteQuery, updateFavorites } from './api.ts';

const track = buildTrack('t1', { isFavorite: true });

/** A page with the track's heart, as it was at `at`. */
function openPage(at: number) {
  const client = createQueryClient({ retry: false });
  const { queryKey } = favoriteQuery(track.id, 'u1');
  client.setQueryData(queryKey, { isFavorite: false }, { updatedAt: at });
  return { client, read: () => client.getQueryData(queryKey)?.isFavorite };
}

it('a list that loads later brings the heart of its track up to date', () => {
  const { client, read } = openPage(1000);
  updateFavorites(client, 'u1', [track], 2000);
  expect(read()).toBe(true);
});

it('a list that loaded earlier changes nothing', () => {
  const { client, read } = openPage(2000);
  updateFavorites(client, 'u1', [track], 1000);
  expect(read()).toBe(false);
});

it('a long list keeps nothing for rows that nobody has seen', () => {
  const client = createQueryClient({ retry: false });
  updateFavorites(client, 'u1', [track], 1000);
  expect(client.getQueryCache().getAll()).toEqual([]);
});
