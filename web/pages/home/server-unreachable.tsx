import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { User } from '#contract/accounts.ts';
import { ApiError } from '#web/lib/api/api.ts';
import { readOffers } from '#web/lib/store/boot.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

type ServerUnreachableProps = {
  user: User | null;
  /** What failed to load. */
  tracks: Pick<UseQueryResult, 'error' | 'refetch'>;
};

/** Replaces Home when it couldn't load, and retries when the browser is back online. */
export function ServerUnreachable({ user, tracks }: ServerUnreachableProps) {
  const { error, refetch } = tracks;
  useEffect(() => {
    const onOnline = () => void refetch();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [refetch]);
  const isOffline = !navigator.onLine;
  const canSave = readOffers().saving;
  const hasAnswered = error instanceof ApiError;
  return (
    <section role="alert" className="px-gutter pt-10 @lg/content:pt-16">
      <h1 className="mb-8 type-display text-[2.875rem] @2xl/content:text-[4.5rem]">
        {hasAnswered
          ? 'Something went wrong'
          : isOffline
            ? 'You’re offline'
            : 'We can’t reach the server'}
      </h1>
      <EmptyState
        glyph="broken"
        title="Couldn’t load the mixes"
        text={`Your music keeps playing. ${hasAnswered ? 'It’s our fault, not your connection’s.' : 'Check your connection and try again.'}${isOffline && canSave && !user?.isSubscriber ? ' With Premium you can save mixes and listen offline.' : ''}`}
        action={
          <div className="mt-2 flex flex-wrap gap-2.5">
            <Button variant="line" onClick={() => void refetch()}>
              Try again
            </Button>
            {canSave && user?.isSubscriber && (
              <LinkButton href="/downloads">Your offline mixes</LinkButton>
            )}
          </div>
        }
      />
    </section>
  );
}
