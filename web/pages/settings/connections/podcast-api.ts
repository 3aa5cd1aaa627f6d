import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';

export const podcastFeedsQuery = apiQuery(['/api/me/podcast-feed'], 'GET /api/me/podcast-feed');

/** Gets an address, or another one. */
export const renewFeedMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: () => call('POST /api/me/podcast-feed'),
    onSuccess: (feeds) => client.setQueryData(podcastFeedsQuery.queryKey, feeds),
    retry: false,
  });

export const endFeedMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: () => call('DELETE /api/me/podcast-feed'),
    onSettled: () => client.invalidateQueries({ queryKey: podcastFeedsQuery.queryKey }),
  });
