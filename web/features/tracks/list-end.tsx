import { useEffect, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import type { TrackPages } from './track-pages.ts';

/** What the end of a list that goes on by cursor must know, whatever it lists. */
export type MorePages = Pick<
  TrackPages,
  'hasMore' | 'isLoadingMore' | 'hasMoreFailed' | 'loadMore'
>;

export function ListProblem({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState
        glyph="broken"
        title="The list could not be loaded"
        action={
          <Button variant="line" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        What is playing plays on. Check the connection and try again.
      </EmptyState>
    </div>
  );
}

/** Loads on by itself before the end is seen, and by hand where that did not work. */
export function ListEnd({ pages }: { pages: MorePages }) {
  const { hasMore, isLoadingMore, hasMoreFailed, loadMore } = pages;
  const end = useRef<HTMLDivElement>(null);
  const isAutomatic = hasMore && !isLoadingMore && !hasMoreFailed;
  useEffect(() => {
    if (!isAutomatic || !end.current) return;
    const watch = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && loadMore(),
      { rootMargin: '1200px' },
    );
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [isAutomatic, loadMore]);
  if (!hasMore) return null;
  return (
    <div ref={end} className="flex min-h-[72px] flex-wrap items-center gap-3.5">
      {hasMoreFailed && (
        <p role="alert" className="text-text-2">
          The rest of the list could not be loaded.
        </p>
      )}
      <Button
        variant="line"
        aria-disabled={isLoadingMore}
        onClick={() => isLoadingMore || loadMore()}
      >
        {hasMoreFailed ? 'Try again' : isLoadingMore ? 'Loading more…' : 'Load more'}
      </Button>
    </div>
  );
}
