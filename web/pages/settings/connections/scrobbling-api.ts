import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  LastfmBody,
  ListenBrainzBody,
  ScrobbleService,
  Scrobbling,
} from '#contract/clients/scrobbling.ts';
import { call } from '#web/lib/api/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { showErrorToast } from '#web/lib/store/toasts.ts';

export const scrobblingQuery = apiQuery('GET /api/me/scrobbling');
const { queryKey } = scrobblingQuery;

const show = (client: QueryClient) => (scrobbling: Scrobbling) =>
  void client.setQueryData(queryKey, scrobbling);

/** Another service is asked, and the user is waiting. */
const retry = false;

export const connectListenBrainzMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: z.input<typeof ListenBrainzBody>) =>
      call('PUT /api/me/scrobbling/listenbrainz', { body }),
    onSuccess: show(client),
    retry,
  });

/** Leaves for the service's own page, which comes back to the settings. */
export const startLastfmMutation = mutationOptions({
  mutationFn: () => call('POST /api/me/scrobbling/lastfm'),
  onSuccess: ({ url }) => window.location.assign(url),
  onError: (error) => showErrorToast(error, 'Couldn’t connect. Please try again.'),
  retry,
});

export const finishLastfmMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: z.input<typeof LastfmBody>) =>
      call('PUT /api/me/scrobbling/lastfm', { body }),
    onSuccess: show(client),
    onError: (error) => showErrorToast(error, 'Couldn’t connect. Please try again.'),
    retry,
  });

export const disconnectMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (service: ScrobbleService) =>
      call('DELETE /api/me/scrobbling/:service', { params: { service } }),
    onSuccess: show(client),
    onError: (error) => showErrorToast(error, 'Couldn’t disconnect. Please try again.'),
  });

export const pauseMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (isPaused: boolean) => call('PATCH /api/me/scrobbling', { body: { isPaused } }),
    onSuccess: show(client),
    onError: (error) => showErrorToast(error, 'Couldn’t save. Please try again.'),
  });
