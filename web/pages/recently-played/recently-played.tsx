import { useState } from 'react';
import type { Track } from '#contract/tracks.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Dot } from '#web/ui/facts.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { describeProgress, ProgressLine } from '#web/features/tracks/track-progress.tsx';
import { TrackList } from '#web/features/tracks/track-list.tsx';
import { trackPagesQuery, useTrackPages } from '#web/features/tracks/track-pages.ts';
import { TrackRow } from '#web/features/tracks/track-row.tsx';
import { dayOf } from '#contract/rules/days.ts';
import { DAY } from '#contract/rules/time.ts';
import { boot } from '#web/lib/store/boot.ts';
import { formatLongMonth, formatTime, formatWeekday } from '#web/lib/format/format.ts';

const historyQuery = trackPagesQuery('GET /api/history');

export const listQueries = () => [historyQuery];

export function Page() {
  const [now] = useState(() => Date.now());
  const pages = useTrackPages(historyQuery);
  return (
    <>
      <PageHead title="Recently Played" lead="What you’ve played, and where you left off." />
      <div className="px-gutter pt-8">
        <TrackList
          label="Recently Played"
          pages={pages}
          empty={<NothingPlayed />}
          headingOf={(track) => formatPlayedHeading(track.progress?.listenedAt ?? 0, now)}
          renderRow={(row) => (
            <TrackRow
              {...row}
              note={<PlayedNote track={row.track} now={now} />}
              facts={<PlayedShare track={row.track} />}
            />
          )}
        />
      </div>
    </>
  );
}

/** `47 min left · Fri 6 Nov` */
function PlayedNote({ track, now }: { track: Track; now: number }) {
  if (!track.progress) return track.genre;
  const { listenedAt } = track.progress;
  return (
    <>
      {describeProgress(track)?.text ?? 'A few seconds'}
      <Dot />
      <time dateTime={new Date(listenedAt).toISOString()}>{formatPlayedAt(listenedAt, now)}</time>
      <span className="sr-only"> · Week {track.weekNumber}</span>
    </>
  );
}

function PlayedShare({ track }: { track: Track }) {
  return (
    <>
      <span aria-hidden className="w-12 week-numeral text-[1.625rem]">
        {track.weekNumber}
      </span>
      <ProgressLine track={track} />
    </>
  );
}

/** The site may have no mix yet either. */
export function NothingPlayed() {
  return (
    <EmptyState
      title="Nothing played yet"
      text="Every mix you play is listed here, so you can pick up where you left off."
      link={{ href: '/library', label: 'Open the library' }}
    />
  );
}

const isSameDay = (a: number, b: number): boolean =>
  dayOf(a, boot.timeZone) === dayOf(b, boot.timeZone);

/** Groups the history by how long ago a track was played: days first, then months. */
export function formatPlayedHeading(listenedAt: number, now: number): string {
  if (isSameDay(listenedAt, now)) return 'Today';
  if (isSameDay(listenedAt, now - DAY)) return 'Yesterday';
  if (listenedAt > now - 7 * DAY) return 'Last seven days';
  return formatLongMonth(listenedAt);
}

/** The time for the last two days, `Fri 6 Nov` before that. */
export function formatPlayedAt(listenedAt: number, now: number): string {
  const isRecent = isSameDay(listenedAt, now) || isSameDay(listenedAt, now - DAY);
  return isRecent ? formatTime(listenedAt) : formatWeekday(listenedAt);
}
