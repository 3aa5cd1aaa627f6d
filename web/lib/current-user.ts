import { queryOptions, useQuery } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { ApiError, call } from './api.ts';

const SESSION_COPY_KEY = 'auth-user';

/** Who is signed in. A 401 is an answer, not a failure: it means public mode. */
export const currentUserQuery = queryOptions({
  queryKey: ['/api/auth/me'],
  // A part of the page that appears after a failed check must not start the next one: it would vanish with it.
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

/** Loading until the first check has ended; a check that failed leaves nobody signed in. */
export function useCurrentUser(): {
  user: User | null;
  isLoading: boolean;
  hasFailed: boolean;
} {
  const { data, isFetched, isError } = useQuery(currentUserQuery);
  return { user: data ?? null, isLoading: !isFetched, hasFailed: isError };
}

export function keepSessionCopy(user: User | null): void {
  try {
    if (user) sessionStorage.setItem(SESSION_COPY_KEY, JSON.stringify(user));
    else sessionStorage.removeItem(SESSION_COPY_KEY);
  } catch {
    // The copy is a convenience; a browser that refuses storage works without it.
  }
}
