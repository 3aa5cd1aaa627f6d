import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Router } from 'wouter';
import type { User } from '#contract/accounts.ts';
import type { Subscription } from '#contract/billing.ts';
import { ApiError } from '#web/lib/api/api.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import type { Player } from '#web/player/create-player.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { PlayerContext } from '#web/player/use-player.ts';
import { subscriptionQuery } from '#web/features/billing/api.ts';
import { PlanOffer } from './plan-offer.tsx';

const user: User = {
  id: 'u1',
  username: 'thandi',
  email: 'thandi@example.com',
  isSubscriber: false,
  isAdmin: false,
  avatarUrl: null,
  offlineUntil: null,
};
const free = { status: 'free', problem: null } as unknown as Subscription;
const overdue: Subscription = {
  ...free,
  status: 'ended',
  problem: {
    since: 0,
    until: 1,
    message: 'The bank declined the payment.',
    amount: 79_00,
    retryAt: null,
    needsMember: false,
  },
};

/** Next to the button that pays. */
const policies = ['Terms', 'Refund Policy'];

/** The buttons and links of the Premium column; those that can't be pressed are in brackets. */
function listActions(
  queries: QueryClient,
  checkout: { onStart?: () => void; initialCoupon?: string } = {},
): string[] {
  const player = createEngineBench().engine as unknown as Player;
  const page = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <PlayerContext value={player}>
        <Router ssrPath="/pricing">
          <PlanOffer user={user} plan="monthly" {...checkout} />
        </Router>
      </PlayerContext>
    </QueryClientProvider>,
  );
  const controls = page.matchAll(/<(?:button|a)\b([^>]*)>(.*?)<\/(?:button|a)>/g);
  const names = [...controls].map(([, attributes = '', content = '']) => {
    const name = content.replaceAll(/<[^>]*>/g, '');
    return attributes.includes('aria-disabled="true"') ? `(${name})` : name;
  });
  return names.slice(1);
}

it('a checkout can’t start until the subscription is known', () => {
  const queries = createQueryClient();
  expect(listActions(queries)).toEqual(['Have a code?', '(Upgrade to Premium)', ...policies]);
  const chosen = listActions(queries, { onStart: () => undefined });
  expect(chosen).toEqual(['Have a code?', '(Opening the payment page…)', ...policies]);
  queries.setQueryData(subscriptionQuery.queryKey, free);
  expect(listActions(queries)).toEqual(['Have a code?', 'Upgrade to Premium', ...policies]);
});

it('no price is asked for until the subscription is known', () => {
  const queries = createQueryClient();
  const checkout = { initialCoupon: 'SUMMER' };
  expect(listActions(queries, checkout)).toContain('Apply');
  queries.setQueryData(subscriptionQuery.queryKey, free);
  // While the server checks the code.
  expect(listActions(queries, checkout)).toContain('(Apply)');
});

it('no checkout is offered while a card is still being charged', () => {
  const queries = createQueryClient();
  queries.setQueryData(subscriptionQuery.queryKey, overdue);
  expect(listActions(queries)).toEqual(['Pay what’s due']);
});

it('a subscription that failed to load blocks no one without access', async () => {
  const queries = createQueryClient();
  const fail = () => Promise.reject(new ApiError(500, ''));
  await queries
    .fetchQuery({ ...subscriptionQuery, queryFn: fail, retry: false })
    .catch(() => undefined);
  expect(listActions(queries)).toContain('Upgrade to Premium');
});
