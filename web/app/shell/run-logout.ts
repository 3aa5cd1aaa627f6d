import type { QueryClient } from '@tanstack/react-query';
import { logoutMutation } from '#web/features/accounts/api.ts';

/**
 * Apart from the shell, so that the first page does not load what only leaving needs. The page is
 * left before the user is forgotten, or the guard would ask a visitor to log in.
 */
export function runLogout(client: QueryClient, leavePage: () => void): Promise<unknown> {
  const options = logoutMutation(client);
  const leaveAndForget: typeof options.onSuccess = async (...args) => {
    leavePage();
    await options.onSuccess?.(...args);
  };
  return client
    .getMutationCache()
    .build(client, { ...options, onSuccess: leaveAndForget })
    .execute();
}
