import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Notice } from '#web/ui/notice.tsx';
import { REFUSED_TEXT, REFUSED_TITLE } from './words.ts';
import { refreshAccess, settle, subscriptionQuery } from './api.ts';

/** The checkout that was left, or is still open; how it ended is told even when it is over since. */
export function usePending(left: string | null): string | null {
  const { data } = useQuery(subscriptionQuery);
  const [pending, setPending] = useState(left);
  const found = data?.pendingReference ?? null;
  if (found !== null && found !== pending) setPending(found);
  return found ?? pending;
}

/** Who comes back from the provider's page without a result, or closed it too early, is told here. */
export function PendingCheckout({ reference }: { reference: string }) {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ['checkout', reference],
    queryFn: ({ signal }) => settle(reference, signal),
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
      <Notice tone="warning" title="The payment was not made">
        Nothing was charged. Try again, or with another card.
      </Notice>
    );
  if (state !== 'open') return null;
  return (
    <Notice tone="warning" title="A payment you began is not decided yet">
      If you have paid just now,{' '}
      <Link href={`/subscription-success?reference=${encodeURIComponent(reference)}`}>
        see what became of it
      </Link>
      . If not, go on below: nothing was charged.
    </Notice>
  );
}
