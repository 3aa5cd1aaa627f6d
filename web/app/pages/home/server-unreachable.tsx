import { useEffect } from 'react';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

type UnreachableProps = { user: User | null; onRetry: () => void };

/** Stands where Home would be when nothing of it could be had, and tries again with the connection. */
export function Unreachable({ user, onRetry }: UnreachableProps) {
  useEffect(() => {
    window.addEventListener('online', onRetry);
    return () => window.removeEventListener('online', onRetry);
  }, [onRetry]);
  const isOffline = !navigator.onLine;
  return (
    <section role="alert" className="px-gutter pt-10 md:pt-16">
      <h1 className="mb-8 type-display text-[46px] md:text-[72px]">
        {isOffline ? 'You are offline' : 'No answer'}
      </h1>
      <EmptyState
        glyph="broken"
        title="The mixes could not be loaded"
        action={
          <div className="mt-2 flex flex-wrap gap-2.5">
            <Button variant="line" onClick={onRetry}>
              Try again
            </Button>
            {user?.isSubscriber && (
              <Link href="/downloads" className={buttonClass({})}>
                Mixes you keep offline
              </Link>
            )}
          </div>
        }
      >
        What is playing plays on. Check the connection and try again.
        {isOffline && !user?.isSubscriber && ' Premium members keep mixes and hear them anywhere.'}
      </EmptyState>
    </section>
  );
}
