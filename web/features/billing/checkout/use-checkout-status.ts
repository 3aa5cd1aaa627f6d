import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { SECOND } from '#contract/rules/time.ts';
import { ApiError } from '#web/lib/api/api.ts';
import { currentUserQuery, useCurrentUser } from '#web/lib/api/current-user.ts';
import { checkoutQuery, refreshAccess } from '#web/features/billing/api.ts';

type CheckoutResult = { state: 'open' | 'pending' | 'paid' | 'failed' | 'refused' };

/**
 * `checking` until the first response, `waiting` for the provider, `pending` while the bank has it,
 * `unlocking` while a payment turns into access, `refused` for a payment we refund, `unreachable` if the provider doesn't respond.
 */
export type CheckoutPhase =
  | 'checking'
  | 'waiting'
  | 'pending'
  | 'unlocking'
  | 'unreachable'
  | 'ready'
  | 'failed'
  | 'refused'
  | 'unknown'
  | 'nothing';

type CheckoutState = {
  hasReference: boolean;
  result: CheckoutResult | undefined;
  /** The HTTP status of the last failed request; 0 without a connection. */
  errorStatus: number | null;
  hasAccess: boolean;
};

const SHOWN_STATES = ['failed', 'refused', 'pending'] as const;

/** What happened to this payment shows even if the user has access from another one. */
export function findCheckoutPhase(state: CheckoutState): CheckoutPhase {
  const { hasReference, result, errorStatus, hasAccess } = state;
  const shown = SHOWN_STATES.find((one) => one === result?.state);
  if (shown) return shown;
  if (hasAccess && result?.state !== 'open') return 'ready';
  if (!hasReference) return 'nothing';
  if (result?.state === 'paid') return 'unlocking';
  if (errorStatus === 404) return 'unknown';
  if (errorStatus !== null) return 'unreachable';
  return result ? 'waiting' : 'checking';
}

const FIRST_DELAYS_MS = [500, 1000, 2000, 3000, 5000];
const LATER_DELAY_MS = 10 * SECOND;
/** We hear of slower banks by webhook, and the user by e-mail. */
const MAX_CHECKS = 60;

/** How long to wait before the next check; null once only the user starts another. */
export function nextCheckDelay(checks: number): number | null {
  if (checks >= MAX_CHECKS) return null;
  return FIRST_DELAYS_MS[Math.max(0, checks - 1)] ?? LATER_DELAY_MS;
}

const getErrorStatus = (error: Error | null): number | null =>
  error === null ? null : error instanceof ApiError ? error.status : 0;

const isFinal = (state: string | undefined): boolean =>
  state !== undefined && state !== 'open' && state !== 'pending';

/** Checks a checkout until its result is final, then the user until they have access. */
export function useCheckoutStatus(reference: string | null): {
  phase: CheckoutPhase;
  isChecking: boolean;
  checkAgain: () => void;
} {
  const client = useQueryClient();
  const { user } = useCurrentUser();
  const { data, error, isFetching, refetch } = useQuery({
    ...checkoutQuery(reference ?? ''),
    enabled: reference !== null && user !== null,
    staleTime: ({ state }) => (isFinal(state.data?.state) ? Infinity : 0),
    refetchOnWindowFocus: ({ state }) => !isFinal(state.data?.state),
    refetchInterval: ({ state }) => {
      if (isFinal(state.data?.state) || getErrorStatus(state.error) === 404) return false;
      return nextCheckDelay(state.dataUpdateCount + state.errorUpdateCount) ?? false;
    },
  });
  const hasAccess = user?.isSubscriber ?? false;
  const isPaid = data?.state === 'paid';
  useEffect(() => {
    if (isPaid) void refreshAccess(client);
  }, [client, isPaid]);
  useQuery({ ...currentUserQuery, refetchInterval: isPaid && !hasAccess ? SECOND : false });
  return {
    phase: findCheckoutPhase({
      hasReference: reference !== null,
      result: data,
      errorStatus: isFinal(data?.state) ? null : getErrorStatus(error),
      hasAccess,
    }),
    isChecking: isFetching,
    checkAgain: () => void refetch(),
  };
}
