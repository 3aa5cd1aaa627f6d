import { queryOptions, useQuery } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { ApiError, call } from './api.ts';

const SESSION_COPY_KEY = 'auth-user';

/** The logged-in user. A 401 is not an error: it means no one is logged in. */
export const currentUserQuery = queryOptions({
  queryKey: ['/api/auth/me'],
  // A component mounted after a failed check must not retry it: the loader would unmount it again.
  retryOnMount: false,
  queryFn: async ({ signal }): Promise<User | null> => {
    try {
      return await call('GET /api/auth/me', undefined, {
        signal,
        headers: { 'cache-control': 'no-cache', pragma: 'no-cache' },
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

/** Loading until the first check is done. After a failed check no one is logged in. */
export function useCurrentUser(): {
  user: User | null;
  isLoading: boolean;
  hasFailed: boolean;
} {
  const { data, isFetched, isError } = useQuery(currentUserQuery);
  return { user: data ?? null, isLoading: !isFetched, hasFailed: isError };
}

export function saveSessionCopy(user: User | null): void {
  try {
    if (user) sessionStorage.setItem(SESSION_COPY_KEY, JSON.stringify(user));
    else sessionStorage.removeItem(SESSION_COPY_KEY);
  } catch {
    // The copy is optional: without storage everything still works.
  }
}
