import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Play } from '#web/ui/icons.ts';
import { findListeningState } from '#contract/rules/progress.ts';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { startedQuery } from '#web/features/history/api.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { playTracksFrom } from '#web/player/view/use-track-playback.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { SleeveSheet } from '#web/ui/art/sleeve.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { describeProgress, ProgressLine } from '#web/features/tracks/track-progress.tsx';
import { TrackRow, WeekLead } from '#web/features/tracks/track-row.tsx';
import { TrackRows } from '#web/features/tracks/track-rows.tsx';
import { ReleaseShelf } from './home-releases.tsx';
import { listMissedTracks } from './year-progress.ts';

const SHOWN = 4;

/** Tracks that were started but not finished. A preview has nothing to continue. */
export function ContinueListening() {
  const query = useQuery(startedQuery);
  const tracks = (query.data?.items ?? [])
    .map((entry) => entry.track)
    .filter((track) => track.access === 'full' && findListeningState(track) === 'started')
    .slice(0, SHOWN);
  if (tracks.length === 0)
    return (
      <LoadFailure
        query={query}
        look="line"
        failed="Couldn’t load the mixes you started."
        className="px-gutter pt-7"
      />
    );
  return (
    <section aria-labelledby="continue" className="px-gutter pt-7">
      <SectionHead
        id="continue"
        title="Continue listening"
        end={
          <Link
            href="/recently-played"
            className="inline-flex min-h-11 items-center text-13 text-text-2 hover:text-text"
          >
            Recently Played
          </Link>
        }
      />
      <SleeveSheet tracks={tracks}>
        <TrackRows
          label="Continue listening"
          source="Home"
          tracks={tracks}
          renderRow={(row) => (
            <TrackRow
              {...row}
              lead={<WeekLead track={row.track} />}
              note={<StartedNote track={row.track} />}
              facts={<ProgressLine track={row.track} />}
            />
          )}
        />
      </SleeveSheet>
    </section>
  );
}

/** `29 min left · Amapiano`; the week is the numeral. */
function StartedNote({ track }: { track: Track }) {
  return (
    <>
      <Facts>
        {describeProgress(track)?.text}
        {track.genre}
      </Facts>
      <span className="sr-only"> · Week {track.weekNumber}</span>
    </>
  );
}

const MISSED = 'Weeks you missed';

type MissedWeeksProps = { tracks: readonly Track[]; thisWeek: WeekOfYear };

/** Weeks not listened to yet, oldest first, as a queue to catch up with. */
export function MissedWeeks({ tracks, thisWeek }: MissedWeeksProps) {
  const player = usePlayer();
  const missed = listMissedTracks(tracks, thisWeek);
  if (missed.length === 0) return null;
  return (
    <section aria-labelledby="missed" className="px-gutter pt-9">
      <SectionHead
        id="missed"
        title={MISSED}
        end={
          <Button
            variant="line"
            onClick={() => playTracksFrom(player, { tracks: missed, source: MISSED })}
          >
            <Play />
            Catch up ({formatCount(missed.length, 'mix', 'mixes')})
          </Button>
        }
      />
      <ReleaseShelf releases={missed} queue={missed} source={MISSED} />
    </section>
  );
}
