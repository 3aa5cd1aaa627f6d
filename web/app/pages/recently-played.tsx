import { useState } from 'react';
import type { Page } from '#contract/paging.ts';
import type { HistoryEntry } from '#contract/history.ts';
import { formatDuration } from '#contract/rules/format.ts';
import type { Track } from '#contract/tracks.ts';
import { formatPlayedHeading, formatPlayedAt } from '#web/features/history/format-played-at.ts';
import { resumeAt } from '#web/player/resume-positions.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { TrackList } from '#web/features/tracks/track-list.tsx';
import { trackPagesQuery, useTrackPages } from '#web/features/tracks/track-pages.ts';
import { TrackRow } from '#web/features/tracks/track-row.tsx';

type HistoryPage = Page<HistoryEntry>;

const historyQuery = trackPagesQuery('/api/history', {}, (page) => {
  const { items, nextCursor } = page as HistoryPage;
  return { items: items.map((entry) => entry.track), nextCursor };
});

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

function describePlayed(track: Track): string {
  const resumed = resumeAt(track, null);
  if (resumed > 0) return `${formatDuration(resumed)} of ${formatDuration(track.duration)}`;
  if (track.progress?.isFinished) return 'Finished';
  return track.access === 'preview' ? 'Preview' : 'Just started';
}

/** `12:30 of 59:27 · Fri 6 Nov` */
function PlayedNote({ track, now }: { track: Track; now: number }) {
  if (!track.progress) return track.genre;
  const { listenedAt } = track.progress;
  return (
    <>
      {`${describePlayed(track)} · `}
      <time dateTime={new Date(listenedAt).toISOString()}>{formatPlayedAt(listenedAt, now)}</time>
      <span className="sr-only"> · Week {track.weekNumber}</span>
    </>
  );
}

/** How far the user has listened, as a line. The note gives the numbers. */
function PlayedShare({ track }: { track: Track }) {
  const resumed = resumeAt(track, null);
  const share = resumed > 0 ? resumed / track.duration : track.progress?.isFinished ? 1 : 0;
  return (
    <>
      <span aria-hidden className="w-12 type-numeral-small text-[26px]">
        {track.weekNumber}
      </span>
      <span aria-hidden className="h-1 w-28 overflow-hidden rounded-pill bg-line max-lg:hidden">
        <span
          className="block h-full bg-week-fill"
          style={{ width: `${Math.round(share * 100)}%` }}
        />
      </span>
    </>
  );
}

function NothingPlayed() {
  return (
    <EmptyState
      title="Nothing played yet"
      text="Every mix you play is listed here, so you can pick up where you left off."
      link={{ href: '/', label: 'Hear this week’s mix' }}
    />
  );
}
