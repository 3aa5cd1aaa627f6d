import { useEffect, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import type { Pages } from './track-pages.ts';

/** Loads more before the end is reached. If that fails, a button retries. */
export function ListEnd({ pages }: { pages: Pages }) {
  const { hasMore, isLoadingMore, hasMoreFailed, loadMore } = pages;
  const end = useRef<HTMLDivElement>(null);
  const isAutomatic = hasMore && !isLoadingMore && !hasMoreFailed;
  useEffect(() => {
    if (!isAutomatic || !end.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && loadMore(),
      { rootMargin: '1200px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isAutomatic, loadMore]);
  if (!hasMore) return null;
  return (
    <div ref={end} className="flex min-h-[72px] flex-wrap items-center gap-3.5">
      {hasMoreFailed && (
        <p role="alert" className="text-text-2">
          Couldn’t load more.
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
