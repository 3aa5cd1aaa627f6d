import { mutationOptions, type Query, type QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { ApiError, call } from '#web/lib/api.ts';
import { currentUserQuery, keepSessionCopy } from '#web/lib/current-user.ts';

const isCurrentUser = ({ queryKey }: Query) => queryKey[0] === currentUserQuery.queryKey[0];

/** A check that was under way knows less than this; what another account had loaded is forgotten. */
async function setUser(client: QueryClient, user: User): Promise<void> {
  await client.cancelQueries({ queryKey: currentUserQuery.queryKey });
  const isSomebodyElse = client.getQueryData(currentUserQuery.queryKey)?.id !== user.id;
  client.setQueryData(currentUserQuery.queryKey, user);
  keepSessionCopy(user);
  if (isSomebodyElse) void client.resetQueries({ predicate: (query) => !isCurrentUser(query) });
}

/** The page is left in the same moment, or the guard would ask a visitor to log in. */
export async function forgetUser(client: QueryClient, leavePage = () => {}): Promise<void> {
  await client.cancelQueries();
  leavePage();
  client.setQueryData(currentUserQuery.queryKey, null);
  keepSessionCopy(null);
  // What only members see goes first, or it would ask once more and be refused.
  await new Promise((resolve) => setTimeout(resolve));
  await client.invalidateQueries();
}

/** A refusal (taken name, wrong password) will not change by asking again, and the person is waiting. */
const retry = false;

export const loginMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { username: string; password: string; code?: string }) =>
      call('POST /api/auth/login', { body }),
    onSuccess: (user) => setUser(client, user),
    retry,
  });

export const registerMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { username: string; email: string; password: string }) =>
      call('POST /api/auth/register', { body: { ...body, isSubscriber: false } }),
    onSuccess: (user) => setUser(client, user),
    retry,
  });

export const logoutMutation = (client: QueryClient, leavePage?: () => void) =>
  mutationOptions({
    mutationFn: async () => {
      // What is still being asked would be refused to whoever has left.
      await client.cancelQueries();
      await call('POST /api/auth/logout');
    },
    onSuccess: () => forgetUser(client, leavePage),
    onError: () => client.invalidateQueries(),
  });

export const updateProfileMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id, ...body }: { id: string; username?: string; email?: string }) =>
      call('PATCH /api/users/:id', { params: { id }, body }),
    onSuccess: (user) => setUser(client, user),
    retry,
  });

export const replaceAvatarMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id, image }: { id: string; image: Blob | null }) =>
      image
        ? call('PUT /api/users/:id/avatar', { params: { id }, body: image })
        : call('DELETE /api/users/:id/avatar', { params: { id } }),
    onSuccess: (user) => setUser(client, user),
    retry,
  });

export const requestResetMutation = mutationOptions({
  mutationFn: (body: { email: string }) => call('POST /api/auth/reset-password/request', { body }),
  retry,
});

export const confirmResetMutation = mutationOptions({
  mutationFn: (body: { token: string; password: string }) =>
    call('POST /api/auth/reset-password/confirm', { body }),
  retry,
});

export const failureFields = (error: unknown): Record<string, string> =>
  error instanceof ApiError ? error.fields : {};
