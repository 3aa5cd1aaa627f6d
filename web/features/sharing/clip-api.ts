import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api/api.ts';
import { apiQuery, refreshPaths } from '#web/lib/api/api-query.ts';
import type { Selection } from './clip-selection.ts';

/** The user's clips of a mix, and what of it can still become one. */
export const trackClipsQuery = (trackId: string) =>
  apiQuery('GET /api/tracks/:id/clips', { params: { id: trackId } });

const refreshClips = (client: QueryClient, trackId: string) =>
  refreshPaths(client, `/api/tracks/${trackId}/clips`);

/** Marking the same seconds again gives the clip that exists, so a lost answer does no harm. */
export const createClipMutation = (client: QueryClient, trackId: string) =>
  mutationOptions({
    mutationFn: (body: Selection) =>
      call('POST /api/tracks/:id/clips', { params: { id: trackId }, body }),
    onSettled: () => refreshClips(client, trackId),
  });

export const removeClipMutation = (client: QueryClient, trackId: string) =>
  mutationOptions({
    mutationFn: (id: string) => call('DELETE /api/clips/:id', { params: { id } }),
    onSettled: () => refreshClips(client, trackId),
  });
