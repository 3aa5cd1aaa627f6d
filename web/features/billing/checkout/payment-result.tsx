import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { Clock } from '#web/ui/icons.ts';
import { Notice } from '#web/ui/notice.tsx';
import {
  checkoutQuery,
  invoicesQuery,
  refreshAccess,
  subscriptionQuery,
} from '#web/features/billing/api.ts';
import { describeResult } from './result-texts.ts';
import { useDateContext } from '#web/features/billing/subscription-texts.ts';
import { nextCheckDelay } from './use-checkout-status.ts';

/** A payment that the user left or that isn't decided. Never goes back to null, so that its result shows. */
export function usePendingReference(leftReference: string | null): string | null {
  const { data } = useQuery(subscriptionQuery);
  const [pending, setPending] = useState(leftReference);
  const found = data?.pending?.reference ?? null;
  if (found !== null && found !== pending) setPending(found);
  return found ?? pending;
}

/** What became of a payment page, for users who come back from it or left it. */
export function PaymentResult({ reference }: { reference: string }) {
  const dates = useDateContext();
  const client = useQueryClient();
  const done = useQueryParam('done');
  const { data: subscription } = useQuery(subscriptionQuery);
  const { data } = useQuery({
    ...checkoutQuery(reference),
    staleTime: 10_000,
    // A bank that takes hours is watched for as long as the page is open.
    refetchInterval: ({ state }) =>
      state.data?.state === 'pending' ? (nextCheckDelay(state.dataUpdateCount) ?? false) : false,
  });
  const state = data?.state;
  useEffect(() => {
    if (state === undefined || state === 'open') return;
    void refreshAccess(client);
    void client.invalidateQueries({ queryKey: invoicesQuery.queryKey });
  }, [client, state]);
  const result = state && describeResult(state, { done, subscription }, dates);
  if (!result) return null;
  return (
    <Notice tone={result.tone} title={result.title} {...(state === 'pending' && { icon: Clock })}>
      {state === 'open' ? (
        <>
          If you just paid,{' '}
          <Link href={`/subscription-success?reference=${encodeURIComponent(reference)}`}>
            check its status
          </Link>
          . If not, you can start again.
        </>
      ) : (
        result.text
      )}
    </Notice>
  );
}
