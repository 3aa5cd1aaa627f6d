import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '#web/lib/api.ts';
import { currentUserQuery, useCurrentUser } from '#web/lib/current-user.ts';
import { refreshAccess, settle } from './api.ts';
import { findPhase, nextCheckDelay, type SuccessPhase } from './success-phase.ts';

/** A payment that is through and whose access is not there yet is asked for at this pace. */
const ACCESS_CHECK_MS = 1000;

const readRefusal = (error: Error | null): number | null =>
  error === null ? null : error instanceof ApiError ? error.status : 0;

const isDecided = (state: string | undefined): boolean => state !== undefined && state !== 'open';

/** Asks what became of a checkout until it is decided, and then until the access is there. */
export function useSettlement(reference: string | null): {
  phase: SuccessPhase;
  isAsking: boolean;
  checkAgain: () => void;
} {
  const client = useQueryClient();
  const { user } = useCurrentUser();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['checkout', reference],
    enabled: reference !== null && user !== null,
    queryFn: ({ signal }) => settle(reference ?? '', signal),
    retry: false,
    staleTime: ({ state }) => (isDecided(state.data?.state) ? Infinity : 0),
    refetchOnWindowFocus: ({ state }) => !isDecided(state.data?.state),
    refetchInterval: ({ state }) => {
      if (isDecided(state.data?.state) || readRefusal(state.error) === 404) return false;
      return nextCheckDelay(state.dataUpdateCount + state.errorUpdateCount) ?? false;
    },
  });
  const hasAccess = user?.isSubscriber ?? false;
  const isPaid = data?.state === 'paid';
  useEffect(() => {
    if (isPaid) void refreshAccess(client);
  }, [client, isPaid]);
  useQuery({
    ...currentUserQuery,
    refetchInterval: isPaid && !hasAccess ? ACCESS_CHECK_MS : false,
  });
  return {
    phase: findPhase({
      hasReference: reference !== null,
      settlement: data,
      refusal: isDecided(data?.state) ? null : readRefusal(error),
      hasAccess,
    }),
    isAsking: isFetching,
    checkAgain: () => void refetch(),
  };
}
