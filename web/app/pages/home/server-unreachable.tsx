import { useEffect } from 'react';
import type { User } from '#contract/accounts.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

type ServerUnreachableProps = { user: User | null; onRetry: () => void };

/** Replaces Home when it couldn't load, and retries when the browser is back online. */
export function ServerUnreachable({ user, onRetry }: ServerUnreachableProps) {
  useEffect(() => {
    window.addEventListener('online', onRetry);
    return () => window.removeEventListener('online', onRetry);
  }, [onRetry]);
  const isOffline = !navigator.onLine;
  return (
    <section role="alert" className="px-gutter pt-10 @lg/content:pt-16">
      <h1 className="mb-8 type-display text-[2.875rem] @2xl/content:text-[4.5rem]">
        {isOffline ? 'You’re offline' : 'We can’t reach the server'}
      </h1>
      <EmptyState
        glyph="broken"
        title="Couldn’t load the mixes"
        text={`Your music keeps playing. Check your connection and try again.${isOffline && !user?.isSubscriber ? ' With Premium you can save mixes and listen offline.' : ''}`}
        action={
          <div className="mt-2 flex flex-wrap gap-2.5">
            <Button variant="line" onClick={onRetry}>
              Try again
            </Button>
            {user?.isSubscriber && <LinkButton href="/downloads">Your offline mixes</LinkButton>}
          </div>
        }
      />
    </section>
  );
}
