import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { User } from '#contract/accounts.ts';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { boot } from '#web/lib/boot.ts';
import { tracksQuery } from '#web/features/tracks/api.ts';
import { ContinueListening, WeeksMissed } from './catch-up.tsx';
import { HomeReleases } from './home-releases.tsx';
import { HomeTop } from './home-top.tsx';
import { HomeYear } from './home-year.tsx';

const DemoMusic = lazy(() =>
  import('./demo-music.tsx').then((module) => ({ default: module.DemoMusic })),
);

/** A year of weekly mixes, and some weeks with two. */
const MOST_MIXES = 100;
const NONE: readonly Track[] = [];

type HomeShelvesProps = {
  thisWeek: WeekOfYear;
  /** The week on the stage. */
  shownWeek: number;
  user: User | null;
  /** The newest, which is on the stage, and those before it. */
  tracks: readonly Track[];
};

/** The year, and below it what is new, begun, missed and played most. */
export function HomeShelves({ thisWeek, shownWeek, user, tracks }: HomeShelvesProps) {
  const { year } = thisWeek;
  const ofYear = useQuery(tracksQuery({ year, limit: MOST_MIXES })).data?.items ?? NONE;
  return (
    <>
      {boot.demo && (
        <Suspense fallback={null}>
          <DemoMusic />
        </Suspense>
      )}
      <HomeYear
        thisWeek={thisWeek}
        shownWeek={shownWeek}
        tracks={ofYear}
        isMember={user !== null}
      />
      {user && <ContinueListening />}
      <HomeReleases releases={tracks.slice(1)} queue={tracks} />
      {user && <WeeksMissed tracks={ofYear} thisWeek={thisWeek} />}
      <HomeTop />
    </>
  );
}
