import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { favoriteQuery } from './api.ts';
import { favoriteMutation } from './favorite-mutation.ts';
import { watchOtherTabs } from './other-tabs.ts';

/** With `shouldFetch: false` it uses the status that came with the track, and changes since. */
export function useFavorite(track: Track, user: User | null, { shouldFetch = true } = {}) {
  const client = useQueryClient();
  useEffect(() => watchOtherTabs(client), [client]);
  const query = favoriteQuery(track.id, user?.id);
  const { data } = useQuery({ ...query, enabled: shouldFetch && user !== null });
  const { mutate } = useMutation(favoriteMutation(client, track, user?.id));
  const isFavoriteIn = (status: { isFavorite: boolean } | undefined) =>
    status?.isFavorite ?? track.isFavorite;
  return {
    isFavorite: user !== null && isFavoriteIn(data),
    /** Does nothing for visitors. */
    toggle(): void {
      if (user) mutate({ isFavorite: !isFavoriteIn(client.getQueryData(query.queryKey)) });
    },
  };
}
