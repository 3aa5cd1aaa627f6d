import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { Subscription } from '#contract/billing.ts';
import { refreshAccess, subscriptionQuery } from './api.ts';

/** Sends a change once, and shows what the subscription is then. */
export const subscriptionMutation = <Variables = void>(
  client: QueryClient,
  send: (variables: Variables) => Promise<Subscription>,
) =>
  mutationOptions({
    mutationFn: send,
    onSuccess: (subscription) => saveSubscription(client, subscription),
    // Repeating a rejected request would not help, and the user is waiting.
    retry: false,
  });

export async function saveSubscription(
  client: QueryClient,
  subscription: Subscription,
): Promise<void> {
  await client.cancelQueries({ queryKey: subscriptionQuery.queryKey });
  client.setQueryData(subscriptionQuery.queryKey, subscription);
  await refreshAccess(client);
}
