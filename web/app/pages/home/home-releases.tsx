import { Link } from 'wouter';
import type { Track } from '#contract/tracks.ts';
import { formatDuration } from '#contract/rules/format.ts';
import { TrackPlayButton } from '#web/features/player/track-play-button.tsx';
import { useWarmUp } from '#web/features/player/use-track-playback.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';

type HomeReleasesProps = {
  releases: readonly Track[];
  /** What plays after the chosen release. */
  queue: readonly Track[];
};

export function HomeReleases({ releases, queue }: HomeReleasesProps) {
  if (releases.length === 0)
    return (
      <section className="px-gutter pt-7">
        <EmptyState title="New releases" text="No mixes yet. New ones appear here every week." />
      </section>
    );
  return (
    <section aria-labelledby="releases" className="px-gutter pt-7">
      <SectionHead
        id="releases"
        title="New releases"
        end={
          <Link
            href="/library"
            className="inline-flex min-h-11 items-center text-13 text-text-2 hover:text-text"
          >
            All weeks
          </Link>
        }
      />
      <ReleaseShelf releases={releases} queue={queue} />
    </section>
  );
}

/** A row of sleeves: a grid on wide screens, a horizontal scroller on phones. */
export function ReleaseShelf({ releases, queue }: HomeReleasesProps) {
  return (
    <ul className="-mr-gutter flex snap-x snap-mandatory gap-3 overflow-x-auto pr-gutter pb-2 [scrollbar-width:none] md:mr-0 md:grid md:grid-cols-[repeat(auto-fill,minmax(152px,1fr))] md:gap-5 md:overflow-visible md:pr-0">
      {releases.map((track) => (
        <Release key={track.id} track={track} queue={queue} />
      ))}
    </ul>
  );
}

function Release({ track, queue }: { track: Track; queue: readonly Track[] }) {
  const href = `/track/${track.id}`;
  const warmUp = useWarmUp(track);
  return (
    <li
      data-week={track.weekNumber}
      className="group relative min-w-0 max-md:w-[152px] max-md:shrink-0 max-md:snap-start"
      {...warmUp}
    >
      <div className="relative transition-transform duration-(--t-3) ease-out group-hover:-translate-y-1">
        <Link href={href} tabIndex={-1} aria-hidden>
          <Sleeve week={track.weekNumber} coverUrl={track.coverUrl} />
        </Link>
        <TrackPlayButton
          track={track}
          queue={queue}
          name={track.title}
          className="absolute right-2.5 bottom-2.5 transition-opacity md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100"
        />
      </div>
      <Link href={href} className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-2.5 pt-3">
        <span aria-hidden className="type-numeral-small text-[50px]">
          {track.weekNumber}
        </span>
        <span className="min-w-0">
          <strong className="line-clamp-2 leading-tight font-semibold break-words">
            {track.title}
          </strong>
          <span className="block truncate type-meta">
            <span className="sr-only">Week {track.weekNumber}, </span>
            {track.genre ?? 'Unknown Genre'} · {formatDuration(track.duration)}
          </span>
        </span>
      </Link>
    </li>
  );
}
