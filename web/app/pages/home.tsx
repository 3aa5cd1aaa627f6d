import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { useThisWeek } from '#web/lib/this-week.ts';
import { tracksQuery } from '#web/lib/track-queries.ts';
import { SleevesSkeleton } from '#web/ui/skeleton.tsx';
import { PageSkeleton } from '../page-skeleton.tsx';
import { EmptyHomeStage, HomeStage } from './home-stage.tsx';
import { useIsSettled } from './use-is-settled.ts';

const HomeShelves = lazy(() =>
  import('./home-shelves.tsx').then((module) => ({ default: module.HomeShelves })),
);

/** This week's mix and a row of those before it. */
const SHOWN = 7;

export function HomePage() {
  const thisWeek = useThisWeek();
  const { user } = useCurrentUser();
  const { data, isPending, isError, refetch } = useQuery(tracksQuery({ limit: SHOWN }));
  const isSettled = useIsSettled(!isPending);
  const tracks = data?.items ?? [];
  const [newest] = tracks;
  if (isPending) return <PageSkeleton kind="stage" />;
  return (
    <>
      {newest ? (
        <HomeStage track={newest} tracks={tracks} thisWeek={thisWeek} user={user} />
      ) : (
        <EmptyHomeStage thisWeek={thisWeek} />
      )}
      <Suspense fallback={<ShelvesSkeleton />}>
        {isSettled ? (
          <HomeShelves
            thisWeek={thisWeek}
            tracks={tracks}
            onRetry={isError && !newest ? () => void refetch() : null}
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
