import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { showErrorToast } from '#web/lib/store/toasts.ts';
import { subscribeDevice, unsubscribeDevice } from './device.ts';

export const notificationsQuery = apiQuery('GET /api/me/notifications');
const { queryKey } = notificationsQuery;

/** The browser asks the user in between, so it isn't repeated. */
export const changeNoticesMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: async (isOn: boolean) => {
      if (!isOn) {
        await call('DELETE /api/me/notifications');
        return unsubscribeDevice();
      }
      const subscription = await subscribeDevice(() => client.fetchQuery(notificationsQuery));
      if (subscription) await call('PUT /api/me/notifications', { body: subscription });
    },
    onError: (error) => showErrorToast(error, 'Couldn’t change this. Please try again.'),
    onSettled: () => client.invalidateQueries({ queryKey }),
    retry: false,
  });
