import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import { favoriteQuery } from './api.ts';
import { useListedFavorite } from './use-favorite.ts';

const track = buildTrack('t1', { isFavorite: true });
const user = { id: 'u1' } as User;

const Heart = () => String(useListedFavorite(track, user).isFavorite);

const render = (client: QueryClient): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Heart />
    </QueryClientProvider>,
  );

it('a row shows what came with its track and keeps nothing for it, until someone changes it', () => {
  const client = createQueryClient({ retry: false });
  expect(render(client)).toBe('true');
  expect(client.getQueryCache().getAll()).toEqual([]);
  client.setQueryData(favoriteQuery(track.id, user.id).queryKey, { isFavorite: false });
  expect(render(client)).toBe('false');
});
