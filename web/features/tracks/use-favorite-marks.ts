import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Track } from '#contract/tracks.ts';
import { keepFavoriteMarks } from '#web/features/favorites/api.ts';
import { useCurrentUser } from '#web/lib/current-user.ts';

/** The hearts of a list's rows show what came with the list, so that no row asks on its own. */
export function useFavoriteMarks(tracks: readonly Track[], updatedAt: number): void {
  const client = useQueryClient();
  const { user } = useCurrentUser();
  const userId = user?.id;
  useEffect(() => {
    if (userId) keepFavoriteMarks(client, userId, tracks, updatedAt);
  }, [client, userId, tracks, updatedAt]);
}
