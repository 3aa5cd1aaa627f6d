import type { ReactNode } from 'react';
import type { Track } from '#contract/tracks.ts';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { RowsSkeleton, Skeleton } from '#web/ui/skeleton.tsx';
import { ListEnd } from './list-end.tsx';
import { groupByHeading, type TrackPages } from './track-pages.ts';
import { TrackRows, type TrackRowsProps } from './track-rows.tsx';

type TrackListProps = Pick<TrackRowsProps, 'renderRow' | 'source'> & {
  /** The name of the list, for screen readers. */
  label: string;
  pages: TrackPages;
  /** Shown when the list is empty. */
  empty: ReactNode;
  /** Consecutive tracks with the same heading are grouped under it, by year for example. */
  headingOf?: (track: Track) => string;
  /** Rows have a week in front of them. */
  hasLead?: boolean;
};

/** An endless list of tracks with its loading, empty and error states. */
export function TrackList({
  label,
  pages,
  empty,
  renderRow,
  headingOf,
  hasLead = false,
  source = label,
}: TrackListProps) {
  const { tracks, isPending, hasFailed, hasMore } = pages;
  if (hasFailed)
    return <LoadFailure query={pages.query} look="section" failed="Couldn’t load this list" />;
  if (isPending)
    return (
      <div role="status" aria-label={`Loading: ${label}`}>
        {headingOf && <Skeleton className="mb-2 h-[1lh] w-40 type-title text-[2.75rem]" />}
        <RowsSkeleton hasLead={hasLead} />
      </div>
    );
  if (tracks.length === 0 && !hasMore) return empty;
  const shared = {
    queue: tracks,
    source,
    isComplete: !hasMore,
    isBusy: pages.isLoadingMore,
    renderRow,
  };
  return (
    <>
      {headingOf ? (
        groupByHeading(tracks, headingOf).map((group) => (
          <section key={group.heading} aria-label={group.heading} className="mt-8 first:mt-0">
            <h2 className="mb-2 type-title text-[2.75rem]">{group.heading}</h2>
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
