import { Link } from 'wouter';
import { describeTrack } from '#contract/artists/artist-names.ts';
import type { Track } from '#contract/tracks.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { TrackPlayButton } from '#web/player/view/track-play-button.tsx';
import { useWarmUp } from '#web/player/view/use-track-playback.ts';
import { EarlyAccess } from '#web/features/tracks/early-access.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { Sleeve, SleeveSheet } from '#web/ui/art/sleeve.tsx';
import { Facts } from '#web/ui/facts.tsx';

type HomeReleasesProps = {
  releases: readonly Track[];
  /** What plays after the chosen release. */
  queue: readonly Track[];
};

export function HomeReleases({ releases, queue }: HomeReleasesProps) {
  // The first mix is on the stage.
  if (releases.length === 0) return null;
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
      <ReleaseShelf releases={releases} queue={queue} source="Home" />
    </section>
  );
}

/** From the fifth sleeve on, hidden where they don't fit into one row, or two rows of three. */
const laterClass = [
  '@3xl/content:hidden @4xl/content:block',
  '@3xl/content:hidden @6xl/content:block',
  '@lg/content:hidden @7xl/content:block',
  '@lg/content:hidden @double/content:block',
];

/** As many as the widest row shows. */
const SHELF_SIZE = 10;

type ReleaseShelfProps = HomeReleasesProps & {
  /** The name of the list. */
  source: string;
};

/** A row of sleeves: a grid on wide screens, a horizontal scroller on phones. */
export function ReleaseShelf({ releases, queue, source }: ReleaseShelfProps) {
  const shown = releases.slice(0, SHELF_SIZE);
  return (
    <SleeveSheet tracks={shown}>
      <ul className="shelf">
        {shown.map((track, index) => (
          <Release
            key={track.id}
            track={track}
            queue={queue}
            source={source}
            className={index < 4 ? '' : (laterClass[index - 4] ?? laterClass.at(-1) ?? '')}
          />
        ))}
      </ul>
    </SleeveSheet>
  );
}

type ReleaseProps = Pick<ReleaseShelfProps, 'queue' | 'source'> & {
  track: Track;
  className: string;
};

function Release({ track, queue, source, className }: ReleaseProps) {
  const href = `/track/${track.id}`;
  const warmUp = useWarmUp(track);
  return (
    <li
      data-week={track.weekNumber}
      className={`group relative min-w-0 @max-lg/content:w-[min(9.5rem,72cqi)] @max-lg/content:shrink-0 @max-lg/content:snap-start ${className}`}
      {...warmUp}
    >
      <div className="relative transition-transform duration-(--t-3) ease-out group-hover:-translate-y-1">
        <Link href={href} tabIndex={-1} aria-hidden>
          <Sleeve week={track.weekNumber} trackId={track.id} coverUrl={track.coverUrl} />
        </Link>
        <TrackPlayButton
          track={track}
          queue={queue}
          source={source}
          name={track.title}
          isOnSleeve
          className="absolute right-2.5 bottom-2.5 transition-opacity pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100"
        />
      </div>
      <Link href={href} className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-2.5 pt-3">
        <span aria-hidden className="week-numeral text-[3.125rem]">
          {track.weekNumber}
        </span>
        <span className="min-w-0">
          <strong className="line-clamp-2 leading-tight font-semibold break-words">
            {track.title}
          </strong>
          <EarlyAccess track={track} className="block text-13" />
          <span className="block truncate type-meta">
            <span className="sr-only">Week {track.weekNumber}, </span>
            <Facts>
              {describeTrack(track)}
              {formatDuration(track.duration)}
            </Facts>
          </span>
        </span>
      </Link>
    </li>
  );
}
