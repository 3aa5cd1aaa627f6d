import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Track } from '#contract/tracks.ts';
import { cacheFavorites } from '#web/features/favorites/api.ts';
import { useCurrentUser } from '#web/lib/current-user.ts';

/** Caches the favorites that came with a list, so that rows don't fetch their own. */
export function useCacheFavorites(tracks: readonly Track[], updatedAt: number): void {
  const client = useQueryClient();
  const { user } = useCurrentUser();
  const userId = user?.id;
  useEffect(() => {
    if (userId) cacheFavorites(client, userId, tracks, updatedAt);
  }, [client, userId, tracks, updatedAt]);
}
