import { mutationOptions, type Query, type QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { ProfileBody, User } from '#contract/accounts.ts';
import { call } from '#web/lib/api/api.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';
import { tellOtherTabs } from '#web/features/billing/api.ts';
import { currentUserQuery, saveSessionCopy } from '#web/lib/api/current-user.ts';
import { forgetDrafts } from '#web/ui/forms/kept-draft.ts';

const isCurrentUser = ({ queryKey }: Query) => queryKey[0] === currentUserQuery.queryKey[0];

/** Cancels a check that is still running, and resets what another account had loaded. */
async function setUser(client: QueryClient, user: User): Promise<void> {
  await client.cancelQueries({ queryKey: currentUserQuery.queryKey });
  const isOtherUser = client.getQueryData(currentUserQuery.queryKey)?.id !== user.id;
  client.setQueryData(currentUserQuery.queryKey, user);
  saveSessionCopy(user);
  if (!isOtherUser) return;
  tellOtherTabs();
  void client.resetQueries({ predicate: (query) => !isCurrentUser(query) });
}

/** Leaves the page at the same time, or the guard would ask the visitor to log in. */
export async function clearUser(client: QueryClient, leavePage = () => {}): Promise<void> {
  await client.cancelQueries();
  leavePage();
  client.setQueryData(currentUserQuery.queryKey, null);
  saveSessionCopy(null);
  tellOtherTabs();
  // Let members-only components unmount first, or they would refetch and be rejected.
  await new Promise((resolve) => setTimeout(resolve));
  await client.invalidateQueries();
}

/** Repeating a rejected request (taken name, wrong password) would not help, and the user is waiting. */
const retry = false;

export const loginMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { username: string; password: string; code?: string }) =>
      call('POST /api/auth/login', { body }),
    onSuccess: (user) => setUser(client, user),
    retry,
  });

export const passkeyLoginMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: async () => (await import('./use-passkey.ts')).logInWithPasskey(),
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
      // Requests that are still running would be rejected after the logout.
      await client.cancelQueries();
      await call('POST /api/auth/logout');
    },
    onSuccess: () => {
      // The next person at this computer may read what is kept.
      forgetDrafts(Infinity);
      return clearUser(client, leavePage);
    },
    onError: () => client.invalidateQueries(),
  });

export const updateProfileMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id, ...body }: { id: string } & z.input<typeof ProfileBody>) =>
      call('PATCH /api/users/:id', { params: { id }, body }),
    onSuccess: (user) => setUser(client, user),
    retry: retryOnce,
  });

const reloadUser = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: currentUserQuery.queryKey });

export const resendEmailLinkMutation = mutationOptions({
  mutationFn: () => call('POST /api/me/email/link'),
  retry,
});

export const cancelEmailChangeMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: () => call('DELETE /api/me/email/change'),
    onSuccess: () => reloadUser(client),
    retry: retryOnce,
  });

export const confirmEmailMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (token: string) => call('POST /api/auth/email/confirm', { body: { token } }),
    onSuccess: () => reloadUser(client),
    retry: retryOnce,
  });

/** Logs this device out too. */
export const undoEmailChangeMutation = (
  client: QueryClient,
  onUndone: (resetToken: string) => void,
) =>
  mutationOptions({
    mutationFn: (token: string) => call('POST /api/auth/email/undo', { body: { token } }),
    onSuccess: ({ resetToken }) => clearUser(client, () => onUndone(resetToken)),
    retry,
  });

export const replaceAvatarMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id, image }: { id: string; image: Blob | null }) =>
      image
        ? call('PUT /api/users/:id/avatar', { params: { id }, body: image })
        : call('DELETE /api/users/:id/avatar', { params: { id } }),
    onSuccess: (user) => setUser(client, user),
    retry: retryOnce,
  });
