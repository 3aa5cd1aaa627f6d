import { useEffect, useRef, type ReactNode } from 'react';
import type { Track } from '#contract/tracks.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { groupByHeading } from './group-by-heading.ts';
import type { TrackPages } from './track-pages.ts';
import { TrackRows, type TrackRowsProps } from './track-rows.tsx';

type TrackListProps = Pick<TrackRowsProps, 'renderRow'> & {
  /** What the list is, read aloud. */
  label: string;
  pages: TrackPages;
  /** Stands in its place when there is nothing in it. */
  empty: ReactNode;
  /** Tracks that follow each other and have the same heading stand under it: a year. */
  headingOf?: (track: Track) => string;
};

/** A list of tracks that loads on as its end comes near, with what stands there until then. */
export function TrackList({ label, pages, empty, renderRow, headingOf }: TrackListProps) {
  const { tracks, isPending, hasFailed, hasMore } = pages;
  if (hasFailed) return <ListProblem onRetry={pages.retry} />;
  if (isPending)
    return (
      <div role="status" aria-label={`Loading: ${label}`}>
        <RowsSkeleton />
      </div>
    );
  if (tracks.length === 0 && !hasMore) return empty;
  const shared = { queue: tracks, isComplete: !hasMore, isBusy: pages.isLoadingMore, renderRow };
  return (
    <>
      {headingOf ? (
        groupByHeading(tracks, headingOf).map((group) => (
          <section key={group.heading} aria-label={group.heading} className="mt-8 first:mt-0">
            <h2 className="mb-2 type-title text-[44px]">{group.heading}</h2>
            <TrackRows label={`${label}, ${group.heading}`} tracks={group.tracks} {...shared} />
          </section>
        ))
      ) : (
        <TrackRows label={label} tracks={tracks} {...shared} />
      )}
      <ListEnd pages={pages} />
    </>
  );
}

function ListProblem({ onRetry }: { onRetry: () => void }) {
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
function ListEnd({ pages }: { pages: TrackPages }) {
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
