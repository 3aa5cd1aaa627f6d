import type { ReactNode } from 'react';
import type { Track } from '#contract/tracks.ts';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { groupByHeading } from './group-by-heading.ts';
import { ListEnd, ListProblem } from './list-end.tsx';
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
