import { useQuery } from '@tanstack/react-query';
import { Play } from '#web/ui/icons.ts';
import type { HistoryEntry } from '#contract/history.ts';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { formatCount } from '#web/lib/format.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { resumeAt } from '#web/player/resume-positions.ts';
import { Button } from '#web/ui/button.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { ProgressMark } from '#web/features/tracks/track-progress.tsx';
import { TrackRow } from '#web/features/tracks/track-row.tsx';
import { TrackRows } from '#web/features/tracks/track-rows.tsx';
import { ReleaseShelf } from './home-releases.tsx';
import { listMissedTracks } from './year-progress.ts';

const RECENT = '/api/history?limit=12';
const SHOWN = 4;

/** Tracks that were started but not finished. */
export function ContinueListening() {
  const { data } = useQuery<{ items: HistoryEntry[] } | null>({ queryKey: [RECENT] });
  const tracks = (data?.items ?? [])
    .map((entry) => entry.track)
    .filter((track) => resumeAt(track, null) > 0)
    .slice(0, SHOWN);
  if (tracks.length === 0) return null;
  return (
    <section aria-labelledby="continue" className="px-gutter pt-7">
      <SectionHead id="continue" title="Continue listening" />
      <TrackRows
        label="Continue listening"
        tracks={tracks}
        renderRow={(row) => <TrackRow {...row} facts={<ProgressMark track={row.track} />} />}
      />
    </section>
  );
}

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
        title="Weeks you missed"
        end={
          <Button variant="line" onClick={() => player.playTracks(missed)}>
            <Play />
            Catch up ({formatCount(missed.length, 'mix', 'mixes')})
          </Button>
        }
      />
      <ReleaseShelf releases={missed.slice(0, 6)} queue={missed} />
    </section>
  );
}
