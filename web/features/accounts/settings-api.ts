import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Preferences, PreferencesChange } from '#contract/preferences.ts';
import { storeAnalyticsChoice } from '#web/lib/analytics/analytics-choice.ts';
import { call } from '#web/lib/api/api.ts';
import { withConfirmation } from '#web/lib/api/confirm-identity.ts';
import { showErrorToast } from '#web/lib/store/toasts.ts';
import { apiQuery, refreshPaths } from '#web/lib/api/api-query.ts';
import { fetchByKey, retryOnce } from '#web/lib/api/query-client.ts';

export const sessionsQuery = apiQuery('GET /api/me/sessions');

export const passkeysQuery = apiQuery('GET /api/me/passkeys');

export const totpQuery = apiQuery('GET /api/me/totp');

/** Logging out all other devices also ends the passwords of music apps. */
export const reloadSessions = (client: QueryClient) =>
  refreshPaths(client, '/api/me/sessions', '/api/me/app-passwords');

/** An administrator may open the admin pages once two-step login or a passkey is there. */
export const reloadTotp = (client: QueryClient) =>
  refreshPaths(client, '/api/me/totp', '/api/auth/me');

/** Without an id, ends all sessions but this one. */
export const endSessionMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string | null) =>
      id === null
        ? call('DELETE /api/me/sessions')
        : call('DELETE /api/me/sessions/:id', { params: { id } }),
    onSettled: () => reloadSessions(client),
  });

export const reloadPasskeys = (client: QueryClient) =>
  refreshPaths(client, '/api/me/passkeys', '/api/auth/me');

/** Its code, with the library, loads when it is used. */
export const addPasskeyMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: async () => (await import('./use-passkey.ts')).createPasskey(),
    onSettled: () => reloadPasskeys(client),
    retry: false,
  });

export const removePasskeyMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string) =>
      withConfirmation(() => call('DELETE /api/me/passkeys/:id', { params: { id } })),
    onSettled: () => reloadPasskeys(client),
    retry: false,
  });

export const startTotpMutation = mutationOptions({
  mutationFn: (body: { password: string }) => call('POST /api/me/totp', { body }),
  retry: retryOnce,
});

/** Also updates this device's copy of the analytics choice. */
export const preferencesQuery = queryOptions({
  ...apiQuery('GET /api/me/preferences'),
  queryFn: async (context) => {
    const preferences = (await fetchByKey(context)) as Preferences | null;
    if (preferences) storeAnalyticsChoice(preferences.analytics);
    return preferences;
  },
});

const { queryKey } = preferencesQuery;

/** A switch moves immediately, and back if the server rejects the change. */
export const changePreferencesMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: PreferencesChange) => call('PATCH /api/me/preferences', { body }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      if (before) client.setQueryData(queryKey, { ...before, ...change } as Preferences);
      return { before };
    },
    onSuccess: (preferences) => {
      client.setQueryData(queryKey, preferences);
      storeAnalyticsChoice(preferences.analytics);
    },
    onError: (error, _change, context) => {
      if (context?.before) client.setQueryData(queryKey, context.before);
      showErrorToast(error, 'Couldn’t save. Please try again.');
    },
  });
