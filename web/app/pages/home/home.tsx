import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { parseWeekKey } from '#contract/rules/weeks.ts';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { useQueryParam } from '#web/lib/use-query-param.ts';
import { useThisWeek } from '#web/lib/use-this-week.ts';
import { tracksQuery } from '#web/features/tracks/api.ts';
import { SleevesSkeleton } from '#web/ui/skeleton.tsx';
import { PageSkeleton } from '#web/app/page-skeleton.tsx';
import { EmptyHomeStage, HomeStage } from './home-stage.tsx';
import { useIsSettled } from '#web/app/use-is-idle.ts';

const HomeShelves = lazy(() =>
  import('./home-shelves.tsx').then((module) => ({ default: module.HomeShelves })),
);

const Unreachable = lazy(() =>
  import('./server-unreachable.tsx').then((module) => ({ default: module.Unreachable })),
);

/** This week's mix and a row of those before it. */
const SHOWN = 7;

export function HomePage() {
  const thisWeek = useThisWeek();
  const { user } = useCurrentUser();
  const asked = useQueryParam('week');
  const week = parseWeekKey(asked ?? '');
  const newest = useQuery(tracksQuery({ limit: SHOWN }));
  const ofWeek = useQuery({
    ...tracksQuery({ ...week, limit: SHOWN }),
    enabled: week !== null,
    placeholderData: keepPreviousData,
  });
  const isSettled = useIsSettled(!newest.isPending);
  const shown = week ? ofWeek : newest;
  const tracks = newest.data?.items ?? [];
  const staged = shown.data?.items ?? [];
  const [track] = staged;
  if (newest.isPending || shown.isPending) return <PageSkeleton kind="stage" />;
  if (shown.isError && !shown.data) return <Unreachable user={user} onRetry={shown.refetch} />;
  return (
    <>
      {track ? (
        <HomeStage track={track} tracks={staged} thisWeek={thisWeek} isNewest={!week} user={user} />
      ) : (
        <EmptyHomeStage week={week ?? thisWeek} isThisWeek={!week} />
      )}
      <Suspense fallback={<ShelvesSkeleton />}>
        {isSettled ? (
          <HomeShelves
            thisWeek={thisWeek}
            shownWeek={week?.week ?? thisWeek.week}
            user={user}
            tracks={tracks}
          />
        ) : (
          <ShelvesSkeleton />
        )}
      </Suspense>
    </>
  );
}

/** What stands below the stage may come after the page can be used. */
function ShelvesSkeleton() {
  return (
    <>
      <div className="h-[172px] border-b border-line md:h-[206px]" />
      <div className="px-gutter pt-7">
        <SleevesSkeleton />
      </div>
    </>
  );
}
