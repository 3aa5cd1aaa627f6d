import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { User } from '#contract/accounts.ts';
import { hasFullAccess } from '#web/lib/api/current-user.ts';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { Link } from 'wouter';
import { chartQuery } from '#web/features/charts/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { ContinueListening, MissedWeeks } from './catch-up.tsx';
import { yearQuery } from './home-queries.ts';
import { HomeReleases } from './home-releases.tsx';
import { HomeYear } from './home-year.tsx';
import { Top20Rows } from '#web/features/tracks/top-20-rows.tsx';
import { DemoMusic } from './demo-music.tsx';
import { NextReleaseNote } from './next-release-note.tsx';

const NONE: readonly Track[] = [];

type HomeShelvesProps = {
  thisWeek: WeekOfYear;
  /** The week on the stage. */
  shownWeek: number;
  user: User | null;
  /** The newest track, which is on the stage, and the ones before it. */
  tracks: readonly Track[];
};

/** The year, then what is new, started, missed and most played. */
export function HomeShelves({ thisWeek, shownWeek, user, tracks }: HomeShelvesProps) {
  const { year } = thisWeek;
  const ofYear = useQuery(yearQuery(year));
  const tracksOfYear = ofYear.data?.items ?? NONE;
  return (
    <>
      {boot.demo && <DemoMusic />}
      {/* Such parts are on their own: the browser takes over one after the other, and reacts in between. */}
      <Suspense fallback={null}>
        <NextReleaseNote tracks={tracksOfYear} user={user} />
      </Suspense>
      {ofYear.isError && !ofYear.data ? (
        <LoadFailure
          query={ofYear}
          look="line"
          failed={`Couldn’t load the weeks of ${year}.`}
          className="border-b border-line px-gutter py-5"
        />
      ) : (
        <HomeYear
          thisWeek={thisWeek}
          shownWeek={shownWeek}
          tracks={tracksOfYear}
          isLoaded={ofYear.data !== undefined}
          isLoggedIn={user !== null}
          hasFullAccess={hasFullAccess(user)}
        />
      )}
      {user && <ContinueListening />}
      <Suspense fallback={null}>
        <HomeReleases releases={tracks.slice(1)} queue={tracks} />
      </Suspense>
      {user && <MissedWeeks tracks={tracksOfYear} thisWeek={thisWeek} />}
      <Suspense fallback={null}>
        <HomeTop20 />
      </Suspense>
    </>
  );
}

/** The sixth only fills the second column of very wide windows. */
const TOP_ENTRIES = 6;

/** The top of the chart, with a link to all of it. */
function HomeTop20() {
  const query = useQuery(chartQuery(null));
  const { data } = query;
  const entries = data?.items.slice(0, TOP_ENTRIES) ?? [];
  if (!data || entries.length === 0)
    return (
      <LoadFailure
        query={query}
        look="line"
        failed="Couldn’t load the Top 20."
        className="px-gutter pt-9"
      />
    );
  return (
    <section
      aria-labelledby="top"
      className="pt-9 [&_li:nth-child(6)]:hidden @double/content:[&_li:nth-child(6)]:block"
    >
      <div className="px-gutter">
        <SectionHead
          id="top"
          title="Top 20"
          end={
            <Link
              href="/top-20"
              className="inline-flex min-h-11 items-center text-13 text-text-2 hover:text-text"
            >
              See the full chart
            </Link>
          }
        />
      </div>
      <Top20Rows entries={entries} queue={data.items.map((entry) => entry.track)} />
    </section>
  );
}
