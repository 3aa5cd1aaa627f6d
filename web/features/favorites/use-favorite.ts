import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { favoriteQuery } from './api.ts';
import { favoriteMutation } from './favorite-mutation.ts';
import { followOtherTabs } from './other-tabs.ts';

/** In a list nobody asks for each track: what came with the track is told, and what was pressed since. */
export function useFavorite(track: Track, user: User | null, { isAsked = true } = {}) {
  const client = useQueryClient();
  useEffect(() => followOtherTabs(client), [client]);
  const query = favoriteQuery(track.id, user?.id);
  const { data } = useQuery({ ...query, enabled: isAsked && user !== null });
  const { mutate } = useMutation(favoriteMutation(client, track, user?.id));
  const read = (status: { isFavorite: boolean } | undefined) =>
    status?.isFavorite ?? track.isFavorite;
  return {
    isFavorite: user !== null && read(data),
    /** Only for those who are logged in. */
    toggle(): void {
      if (user) mutate({ isFavorite: !read(client.getQueryData(query.queryKey)) });
    },
  };
}
