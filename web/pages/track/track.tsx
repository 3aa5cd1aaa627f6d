import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useParams } from 'wouter';
import { formatDuration } from '#contract/rules/time.ts';
import type { User } from '#contract/accounts.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { TrackWaveform } from '#web/player/view/track-waveform.tsx';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { favoriteQuery } from '#web/features/favorites/api.ts';
import { neighboursQuery, peaksQuery, trackQuery } from '#web/features/tracks/api.ts';
import { ClipButton } from '#web/features/sharing/share-buttons.tsx';
import { Moments } from '#web/features/moments/moments.tsx';
import { usePublicHour } from '#web/features/tracks/early-access.tsx';
import { describeEnd } from '#web/player/view/describe-end.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import type { Visit } from '#web/router/route.ts';
import { PlayFromLink } from './play-from-link.tsx';
import { SubscriberOnly } from './subscriber-only.tsx';
import { ChapterMarks, Tracklist } from './track-chapters.tsx';
import { TrackNeighbours } from './track-neighbours.tsx';
import { isShortDescription, TrackStage, TrackStageSkeleton } from './track-stage.tsx';
import { usePageTitle } from '#web/router/use-page-title.ts';
import { formatLongDate } from '#web/lib/format/format.ts';

export const listQueries = ({ params: { id = '' }, user }: Visit) => [
  trackQuery(id),
  peaksQuery(id),
  neighboursQuery(id),
  favoriteQuery(id, user?.id),
];

export function Page() {
  const { id = '' } = useParams();
  const { user } = useCurrentUser();
  const query = useQuery(trackQuery(id));
  usePageTitle(query.data?.title);
  useWarmStart(query.data);
  return (
    <Loaded
      query={query}
      pageTitle="Track"
      failed="Couldn’t load this mix"
      missing={missing}
      renderRefusal={({ status }) => status === 403 && <SubscriberOnly id={id} />}
      skeleton={<TrackStageSkeleton />}
    >
      {(track) => <LoadedTrack track={track} user={user} />}
    </Loaded>
  );
}

function LoadedTrack({ track, user }: { track: TrackDetail; user: User | null }) {
  return (
    <>
      <PlayFromLink track={track} />
      <TrackStage track={track} user={user} />
      <section
        data-week={track.weekNumber}
        aria-label="Waveform"
        className="stage px-gutter pt-3 pb-6"
      >
        <TrackWaveform
          track={track}
          chapters={track.chapters}
          className="min-h-[86px] md:min-h-[132px]"
        />
        <Moments part="marks" track={track} />
        <TrackTimes track={track} user={user} />
        <ChapterMarks track={track} />
        <Moments part="row" track={track} />
      </section>
      <div className="grid gap-10 px-gutter pt-7 @4xl/content:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Tracklist track={track} />
        <About track={track} />
      </div>
      <TrackNeighbours track={track} />
      <Moments part="list" track={track} />
    </>
  );
}

function About({ track }: { track: TrackDetail }) {
  const isEarly = usePublicHour(track.publishedAt) !== null;
  const formats = track.formats.map((format) => format.toUpperCase()).join(', ');
  return (
    <section aria-labelledby="about">
      <h2 id="about" className="mb-3 type-section">
        About this mix
      </h2>
      {track.description && (
        <p
          className={`mb-4 max-w-[62ch] type-lead whitespace-pre-line ${isShortDescription(track.description) ? '@3xl/content:hidden' : ''}`}
        >
          {track.description}
        </p>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5">
        {track.series && (
          <>
            <dt className="text-text-3">Series</dt>
            <dd>
              <Link
                href={`/library?series=${encodeURIComponent(track.series)}`}
                className="underline underline-offset-4"
              >
                {track.series}
              </Link>
            </dd>
          </>
        )}
        <dt className="text-text-3">{isEarly ? 'Public from' : 'Published'}</dt>
        <dd>{track.publishedAt === 0 ? 'Not yet' : formatLongDate(track.publishedAt)}</dd>
        {formats && (
          <>
            <dt className="text-text-3">Formats</dt>
            <dd>{formats} (Premium)</dd>
          </>
        )}
      </dl>
      <Link
        href="/copyright"
        className="mt-2 inline-flex min-h-11 items-center text-13 text-text-3 underline underline-offset-4 hover:text-text"
      >
        Report a copyright problem
      </Link>
    </section>
  );
}

/** Also in place of a mix that is taken down while its page is open. */
const missing = {
  title: 'Mix not found',
  text: 'The link may be out of date, or the mix has been taken down.',
  link: { href: '/library', label: 'Open the library' },
};

/** People who open a mix are likely to play it. */
function useWarmStart(track: TrackDetail | undefined): void {
  const player = usePlayer();
  useEffect(() => {
    if (track) player.warmUp(track);
  }, [player, track]);
}

/** The times at both ends of the waveform, whether the mix plays or not, and what cuts a clip of it. */
function TrackTimes({ track, user }: { track: TrackDetail; user: User | null }) {
  const time = usePlayerState((state) =>
    state.currentTrack?.id === track.id ? Math.floor(state.currentTime) : 0,
  );
  const end = usePlayerState((state) =>
    state.currentTrack?.id === track.id ? describeEnd(state) : formatDuration(track.duration),
  );
  return (
    <div className="grid grid-cols-[1fr_auto_1fr] items-center pt-2 type-meta tabular">
      <span>{formatDuration(time)}</span>
      <span className="-my-2.5">
        <ClipButton hasText track={track} user={user} />
      </span>
      <span className="text-right">{end}</span>
    </div>
  );
}
