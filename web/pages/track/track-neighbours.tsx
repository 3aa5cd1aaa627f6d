import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight } from '#web/ui/icons.ts';
import { Link } from 'wouter';
import type { Neighbour, Track } from '#contract/tracks.ts';
import { neighboursQuery } from '#web/features/tracks/api.ts';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { Dot } from '#web/ui/facts.tsx';

/** Links to the previous and next mix, each in its week's colour. */
export function TrackNeighbours({ track }: { track: Track }) {
  const query = useQuery(neighboursQuery(track.id));
  const { data } = query;
  if (!data?.previous && !data?.next)
    return (
      <LoadFailure
        query={query}
        look="line"
        failed="Couldn’t load the previous and next mix."
        className="mt-10 border-t border-line px-gutter py-5"
      />
    );
  return (
    <nav
      aria-label="Previous and next mix"
      className="mt-10 grid gap-0.5 grid-cols-[minmax(0,1fr)] border-t border-line @2xl/content:grid-cols-2"
    >
      {data.previous ? (
        <NeighbourLink neighbour={data.previous} of={track} side="previous" />
      ) : (
        <span className="@max-2xl/content:hidden" />
      )}
      {data.next && <NeighbourLink neighbour={data.next} of={track} side="next" />}
    </nav>
  );
}

type NeighbourLinkProps = { neighbour: Neighbour; of: Track; side: 'previous' | 'next' };

function NeighbourLink({ neighbour, of, side }: NeighbourLinkProps) {
  const isNext = side === 'next';
  const Arrow = isNext ? ArrowRight : ArrowLeft;
  const year = neighbour.year === of.year ? '' : `, ${neighbour.year}`;
  return (
    <Link
      href={`/track/${neighbour.id}`}
      data-week={neighbour.weekNumber}
      className={`group flex min-h-24 items-center gap-5 px-gutter py-5 transition-colors hover:bg-week-wash focus-visible:-outline-offset-4 ${isNext ? '@2xl/content:flex-row-reverse @2xl/content:text-right' : ''}`}
    >
      <span aria-hidden className="week-numeral text-56">
        {neighbour.weekNumber}
      </span>
      <span className="min-w-0">
        <span className="flex items-center gap-1.5 type-meta group-hover:text-text-2">
          <Arrow className={`size-4 ${isNext ? '@2xl/content:order-last' : ''}`} />
          <span>
            {isNext ? 'Next' : 'Previous'}
            <Dot />
            Week {neighbour.weekNumber}
            {year}
          </span>
        </span>
        <strong className="block truncate text-16 font-semibold">{neighbour.title}</strong>
      </span>
    </Link>
  );
}
