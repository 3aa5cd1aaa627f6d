import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Router } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import type { Player } from '#web/player/create-player.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { PlayerContext } from '#web/player/use-player.ts';
import { Page } from './subscription.tsx';

const user: User = {
  id: 'u1',
  username: 'thandi',
  email: 'thandi@example.com',
  isSubscriber: false,
  isAdmin: false,
  avatarUrl: null,
  offlineUntil: null,
};

/** The page before the server has answered. */
function renderLoading(current: User): string {
  const queries = createQueryClient();
  queries.setQueryData(currentUserQuery.queryKey, current);
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <PlayerContext value={createEngineBench().engine as unknown as Player}>
        <Router ssrPath="/subscription">
          <Page />
        </Router>
      </PlayerContext>
    </QueryClientProvider>,
  );
}

describe('while the subscription loads', () => {
  it('a free member sees the plans in their place', () => {
    expect(renderLoading(user)).toContain('Your current plan');
    expect(renderLoading(user)).not.toContain('Loading your subscription');
  });

  it('a subscriber sees the shape of their own panels', () => {
    const html = renderLoading({ ...user, isSubscriber: true });
    expect(html).toContain('Loading your subscription');
    expect(html).not.toContain('Your current plan');
  });
});
