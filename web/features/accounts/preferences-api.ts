import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Preferences, PreferencesChange } from '#contract/preferences.ts';
import { keepAnalyticsChoice } from '#web/lib/analytics-choice.ts';
import { call, describeFailure } from '#web/lib/api.ts';
import { showToast } from '#web/lib/toasts.ts';

/** Reading them also puts this device's copy of the choice about statistics right. */
export const preferencesQuery = queryOptions({
  queryKey: ['/api/me/preferences'],
  queryFn: async ({ signal }): Promise<Preferences> => {
    const preferences = await call('GET /api/me/preferences', undefined, { signal });
    keepAnalyticsChoice(preferences.analytics);
    return preferences;
  },
});

const { queryKey } = preferencesQuery;

/** A switch moves at once and goes back when the server does not take it. */
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
      keepAnalyticsChoice(preferences.analytics);
    },
    onError: (error, _change, context) => {
      if (context?.before) client.setQueryData(queryKey, context.before);
      const description = describeFailure(error, 'This could not be saved. Please try again.');
      showToast({ title: 'Error', description, variant: 'destructive' });
    },
  });
