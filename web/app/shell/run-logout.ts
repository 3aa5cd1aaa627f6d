import type { QueryClient } from '@tanstack/react-query';
import { logoutMutation } from '#web/features/accounts/api.ts';

/** Apart from the shell, so that the first page does not load what only leaving needs. */
export const runLogout = (client: QueryClient, leavePage: () => void): Promise<unknown> =>
  client.getMutationCache().build(client, logoutMutation(client, leavePage)).execute();
