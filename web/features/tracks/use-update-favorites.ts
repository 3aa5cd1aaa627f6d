import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Track } from '#contract/tracks.ts';
import { updateFavorites } from '#web/features/favorites/api.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';

/** Keeps the hearts of rows up to date with a list that was loaded again. */
export function useUpdateFavorites(tracks: readonly Track[], updatedAt: number): void {
  const client = useQueryClient();
  const { user } = useCurrentUser();
  const userId = user?.id;
  const cached = useRef<readonly Track[]>([]);
  useEffect(() => {
    if (!userId) return;
    const before = cached.current;
    cached.current = tracks;
    return inSlices(isLonger(tracks, before) ? tracks.slice(before.length) : tracks, (slice) =>
      updateFavorites(client, userId, slice, updatedAt),
    );
  }, [client, userId, tracks, updatedAt]);
}

/** Another page of the same list: the rest is as old as before. */
const isLonger = (tracks: readonly Track[], before: readonly Track[]): boolean =>
  tracks.length > before.length && tracks[before.length - 1] === before.at(-1);

const SLICE = 100;

/** At once for a short list; a long one must not hold up the page. */
function inSlices(tracks: readonly Track[], run: (slice: readonly Track[]) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = (start: number) => {
    run(tracks.slice(start, start + SLICE));
    if (start + SLICE < tracks.length) timer = setTimeout(() => next(start + SLICE));
  };
  next(0);
  return () => clearTimeout(timer);
}
