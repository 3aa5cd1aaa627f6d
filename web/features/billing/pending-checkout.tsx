import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Notice } from '#web/ui/notice.tsx';
import { refreshAccess, confirmCheckout, subscriptionQuery } from './api.ts';
import { REFUSED_TEXT, REFUSED_TITLE } from './subscription-texts.ts';

/** A checkout that the user left or that is still open. Never goes back to null, so that its result shows. */
export function usePendingReference(leftReference: string | null): string | null {
  const { data } = useQuery(subscriptionQuery);
  const [pending, setPending] = useState(leftReference);
  const found = data?.pendingReference ?? null;
  if (found !== null && found !== pending) setPending(found);
  return found ?? pending;
}

/** The result of a checkout, for users who come back from the provider without one. */
export function PendingCheckout({ reference }: { reference: string }) {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ['checkout', reference],
    queryFn: ({ signal }) => confirmCheckout(reference, signal),
    retry: false,
    staleTime: 10_000,
  });
  const state = data?.state;
  useEffect(() => {
    if (state !== undefined && state !== 'open') void refreshAccess(client);
  }, [client, state]);
  if (state === 'refused')
    return (
      <Notice tone="warning" title={REFUSED_TITLE}>
        {REFUSED_TEXT}
      </Notice>
    );
  if (state === 'failed')
    return (
      <Notice tone="warning" title="Payment not completed">
        You haven’t been charged. Try again or use another card.
      </Notice>
    );
  if (state !== 'open') return null;
  return (
    <Notice tone="warning" title="You have a payment in progress">
      If you just paid,{' '}
      <Link href={`/subscription-success?reference=${encodeURIComponent(reference)}`}>
        check its status
      </Link>
      . If not, continue below. You haven’t been charged.
    </Notice>
  );
}
