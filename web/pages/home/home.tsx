import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { parseWeekKey } from '#contract/rules/weeks.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { useThisWeek } from '#web/lib/format/use-this-week.ts';
import { SleevesSkeleton } from '#web/ui/skeleton.tsx';
import { PageSkeleton } from '#web/router/page-skeleton.tsx';
import { shownQuery } from './home-queries.ts';
import { EmptyHomeStage, HomeStage, stageParts } from './home-stage.tsx';
import { lazyComponent } from '#web/lib/schedule/lazy-component.ts';

const HomeShelves = lazyComponent(() => import('./home-shelves.tsx'), 'HomeShelves');

const Unreachable = lazyComponent(() => import('./server-unreachable.tsx'), 'ServerUnreachable');

export { listQueries } from './home-queries.ts';

/** Without them the page would open with gaps. */
export const parts = [HomeShelves, ...stageParts];

export function Page() {
  const thisWeek = useThisWeek();
  const { user } = useCurrentUser();
  const week = parseWeekKey(useQueryParam('week') ?? '');
  const newest = useQuery(shownQuery(null));
  const shown = useQuery({ ...shownQuery(week), placeholderData: keepPreviousData });
  const tracks = newest.data?.items ?? [];
  const staged = shown.data?.items ?? [];
  const [track] = staged;
  if (newest.isPending || shown.isPending)
    return (
      <>
        <PageSkeleton kind="stage" />
        <ShelvesSkeleton />
      </>
    );
  if (shown.isError && !shown.data) return <Unreachable user={user} tracks={shown} />;
  return (
    <>
      {track ? (
        <HomeStage track={track} tracks={staged} thisWeek={thisWeek} isNewest={!week} user={user} />
      ) : (
        <EmptyHomeStage week={week ?? thisWeek} isThisWeek={!week} />
      )}
      <Suspense fallback={<ShelvesSkeleton />}>
        <HomeShelves
          thisWeek={thisWeek}
          shownWeek={week?.week ?? thisWeek.week}
          user={user}
          tracks={tracks}
        />
      </Suspense>
    </>
  );
}

/** The part below the stage loads after the page is usable. */
function ShelvesSkeleton() {
  return (
    <>
      <div className="h-[172px] border-b border-line @lg/content:h-[206px]" />
      <div className="px-gutter pt-7">
        <SleevesSkeleton />
      </div>
    </>
  );
}
