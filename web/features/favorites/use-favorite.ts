import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { favoriteMutation, favoriteQuery } from './api.ts';

export function useFavorite(track: Track, user: User | null) {
  const client = useQueryClient();
  const query = favoriteQuery(track.id, user?.id);
  const { data } = useQuery(query);
  const { mutate } = useMutation(favoriteMutation(client, track, user?.id));
  return {
    isFavorite: user !== null && data?.isFavorite === true,
    /** Only for those who are logged in. */
    toggle(): void {
      if (user) mutate({ isFavorite: !client.getQueryData(query.queryKey)?.isFavorite });
    },
  };
}
