import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import type { HistoryEntry } from '#contract/history.ts';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { resumeAt } from '#web/player/resume.ts';
import { Button } from '#web/ui/button.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { HeardMark } from '#web/features/tracks/track-progress.tsx';
import { TrackRow } from '#web/features/tracks/track-row.tsx';
import { TrackRows } from '#web/features/tracks/track-rows.tsx';
import { ReleaseShelf } from './home-releases.tsx';
import { findMissed } from './year-progress.ts';

const RECENT = '/api/history?limit=12';
const SHOWN = 4;

/** What was begun and not finished, to go on where one stopped. */
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
        renderRow={(row) => <TrackRow {...row} facts={<HeardMark track={row.track} />} />}
      />
    </section>
  );
}

type WeeksMissedProps = { tracks: readonly Track[]; thisWeek: WeekOfYear };

/** A queue to catch up with: the weeks one has not begun, in the order they came out. */
export function WeeksMissed({ tracks, thisWeek }: WeeksMissedProps) {
  const player = usePlayer();
  const missed = findMissed(tracks, thisWeek);
  if (missed.length === 0) return null;
  const mixes = missed.length === 1 ? '1 mix' : `${missed.length} mixes`;
  return (
    <section aria-labelledby="missed" className="px-gutter pt-9">
      <SectionHead
        id="missed"
        title="Weeks you missed"
        end={
          <Button variant="line" onClick={() => player.playTracks(missed)}>
            <Play aria-hidden strokeWidth={1.75} />
            Catch up, {mixes}
          </Button>
        }
      />
      <ReleaseShelf releases={missed.slice(0, 6)} queue={missed} />
    </section>
  );
}
