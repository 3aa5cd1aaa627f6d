import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight } from '#web/ui/icons.ts';
import { Link } from 'wouter';
import type { Neighbour, Track } from '#contract/tracks.ts';
import { neighboursQuery } from '#web/features/tracks/api.ts';

/** Links to the previous and next mix, each in its week's colour. */
export function TrackNeighbours({ track }: { track: Track }) {
  const { data } = useQuery(neighboursQuery(track.id));
  if (!data?.previous && !data?.next) return null;
  return (
    <nav
      aria-label="Previous and next mix"
      className="mt-10 grid gap-0.5 border-t border-line md:grid-cols-2"
    >
      {data.previous ? (
        <NeighbourLink neighbour={data.previous} of={track} side="previous" />
      ) : (
        <span className="max-md:hidden" />
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
      className={`group flex min-h-24 items-center gap-5 px-gutter py-5 transition-colors hover:bg-week-wash focus-visible:-outline-offset-4 ${isNext ? 'md:flex-row-reverse md:text-right' : ''}`}
    >
      <span aria-hidden className="type-numeral-small text-[56px]">
        {neighbour.weekNumber}
      </span>
      <span className="min-w-0">
        <span className="flex items-center gap-1.5 type-meta group-hover:text-text-2">
          <Arrow className={`size-4 ${isNext ? 'md:order-last' : ''}`} />
          {isNext ? 'Next' : 'Previous'} · Week {neighbour.weekNumber}
          {year}
        </span>
        <strong className="block truncate text-16 font-semibold">{neighbour.title}</strong>
      </span>
    </Link>
  );
}
