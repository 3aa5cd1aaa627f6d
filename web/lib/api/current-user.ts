import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { User } from '#contract/accounts.ts';
import { ApiError } from './api.ts';
import { apiQuery } from './api-query.ts';
import { findKeptAnswer } from './offline-fallback.ts';
import { fetchByKey } from './query-client.ts';
import { createStore } from '#web/lib/store/store.ts';

const SESSION_COPY_KEY = 'auth-user';

/** The first check has taken too long, and this browser doesn't know who is logged in. */
export const isOverdueStore = createStore(false);
const onOverdue = () => isOverdueStore.set(true);

/** The logged-in user; null if no one is. */
export const currentUserQuery = queryOptions({
  ...apiQuery('GET /api/auth/me'),
  // A component mounted after a failed check must not retry it: the loader would unmount it again.
  retryOnMount: false,
  // Checked when the page opens and on every page change, not for each component that shows the user.
  refetchOnMount: false,
  // A session's own tab remembers its user, and the page says when even that is unknown.
  queryFn: async (context) =>
    (await fetchByKey(context, { findFallback: findKeptUser, onOverdue })) as User | null,
});

export type Login = {
  user: User | null;
  /** Until the first check is done, or this browser knows the user. */
  isLoading: boolean;
  /** The server has not answered yet: `user` is the one this browser remembers. */
  isUnconfirmed: boolean;
  /** The server has not answered yet, and this browser remembers no one. Not the same as a visitor. */
  isUnknown: boolean;
};

export function useCurrentUser(): Login {
  const isConfirmed = useRef(false);
  const { data, isFetched, error, dataUpdatedAt } = useQuery({
    ...currentUserQuery,
    // Every page change asks again; the same answer doesn't render the page again.
    notifyOnChangeProps: () => (isConfirmed.current ? ['data', 'error'] : undefined),
  });
  const hasAnswer = dataUpdatedAt > 0 || (error instanceof ApiError && data === undefined);
  useEffect(() => {
    isConfirmed.current = dataUpdatedAt > 0;
  }, [dataUpdatedAt]);
  return {
    user: data ?? null,
    isLoading: !isFetched,
    isUnconfirmed: !hasAnswer,
    isUnknown: !hasAnswer && !data,
  };
}

type AccessUser = Pick<User, 'isSubscriber' | 'isAdmin' | 'isHelper'>;

export const isStaff = (user: Pick<AccessUser, 'isAdmin' | 'isHelper'> | null): boolean =>
  user !== null && (user.isAdmin || user.isHelper === true);

/** Where their work begins. */
export const findAdminHome = (user: Pick<AccessUser, 'isAdmin'>): string =>
  user.isAdmin ? '/admin' : '/admin/tracks';

/** Subscribers and staff hear every mix in full, as on the server. */
export const hasFullAccess = (user: AccessUser | null): boolean =>
  user !== null && (user.isSubscriber || isStaff(user));

export function saveSessionCopy(user: User | null): void {
  try {
    if (user) sessionStorage.setItem(SESSION_COPY_KEY, JSON.stringify(user));
    else sessionStorage.removeItem(SESSION_COPY_KEY);
  } catch {
    // The copy is optional: without storage everything still works.
  }
}

/**
 * The service worker hears of every login and logout, whichever tab they happen in. Without it, the
 * copy of this tab has to do.
 */
async function findKeptUser(): Promise<User | undefined> {
  const isWatched = Boolean(navigator.serviceWorker?.controller);
  return parseUser(
    isWatched ? await findKeptAnswer(currentUserQuery.queryKey[0]) : readSessionCopy(),
  );
}

function readSessionCopy(): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(SESSION_COPY_KEY) ?? 'null');
  } catch {
    return null;
  }
}

const parseUser = (value: unknown): User | undefined =>
  typeof value === 'object' && value !== null && 'id' in value && 'username' in value
    ? (value as User)
    : undefined;
