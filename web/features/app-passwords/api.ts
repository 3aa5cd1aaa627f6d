import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { withConfirmation } from '#web/lib/api/confirm-identity.ts';

export const appPasswordsQuery = apiQuery(['/api/me/app-passwords'], 'GET /api/me/app-passwords');

const reload = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: appPasswordsQuery.queryKey });

/** Sent once: each request creates another password. */
export const createAppPasswordMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { name: string }) =>
      withConfirmation(() => call('POST /api/me/app-passwords', { body })),
    onSettled: () => reload(client),
    retry: false,
  });

export const deleteAppPasswordMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string) => call('DELETE /api/me/app-passwords/:id', { params: { id } }),
    onSettled: () => reload(client),
  });
