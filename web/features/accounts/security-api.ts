import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { DeleteAccountBody } from '#contract/privacy.ts';
import type { BothStepsBody, ChangePasswordBody } from '#contract/security.ts';
import { call } from '#web/lib/api.ts';
import { forgetUser } from './api.ts';

export const sessionsQuery = queryOptions({
  queryKey: ['/api/me/sessions'],
  queryFn: ({ signal }) => call('GET /api/me/sessions', undefined, { signal }),
});

export const totpQuery = queryOptions({
  queryKey: ['/api/me/totp'],
  queryFn: ({ signal }) => call('GET /api/me/totp', undefined, { signal }),
});

const reloadSessions = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
const reloadTotp = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: totpQuery.queryKey });

/** Without an id, every session but this one. */
export const endSessionMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string | null) =>
      id === null
        ? call('DELETE /api/me/sessions')
        : call('DELETE /api/me/sessions/:id', { params: { id } }),
    onSettled: () => reloadSessions(client),
  });

/** The person is waiting, and a refusal will not change by asking again. */
const retry = false;

export const changePasswordMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: z.input<typeof ChangePasswordBody>) =>
      call('POST /api/me/password', { body }),
    onSuccess: () => reloadSessions(client),
    retry,
  });

export const beginTotpMutation = mutationOptions({
  mutationFn: (body: { password: string }) => call('POST /api/me/totp', { body }),
  retry,
});

export const confirmTotpMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { code: string }) => call('POST /api/me/totp/confirm', { body }),
    onSuccess: () => reloadTotp(client),
    retry,
  });

export const renewCodesMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: z.input<typeof BothStepsBody>) =>
      call('POST /api/me/totp/recovery-codes', { body }),
    onSuccess: () => reloadTotp(client),
    retry,
  });

export const endTotpMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: z.input<typeof BothStepsBody>) => call('DELETE /api/me/totp', { body }),
    onSuccess: () => reloadTotp(client),
    retry,
  });

export const deleteAccountMutation = (client: QueryClient, leave: () => void) =>
  mutationOptions({
    mutationFn: (body: z.input<typeof DeleteAccountBody>) => call('DELETE /api/me', { body }),
    onSuccess: () => forgetUser(client, leave),
    retry,
  });
