import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { parseWeekKey } from '#contract/rules/weeks.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { useThisWeek } from '#web/lib/format/use-this-week.ts';
import { SleevesSkeleton } from '#web/ui/skeleton.tsx';
import { PageSkeleton } from '#web/router/page-skeleton.tsx';
import { shownQuery } from './home-queries.ts';
import { HomeShelves } from './home-shelves.tsx';
import { EmptyHomeStage, HomeStage } from './home-stage.tsx';
import { ServerUnreachable } from './server-unreachable.tsx';

export { listQueries } from './home-queries.ts';

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
  if (shown.isError && !shown.data) return <ServerUnreachable user={user} tracks={shown} />;
  return (
    <>
      {track ? (
        <HomeStage track={track} tracks={staged} thisWeek={thisWeek} isNewest={!week} user={user} />
      ) : (
        <EmptyHomeStage week={week ?? thisWeek} isThisWeek={!week} />
      )}
      {/* A part of its own: the browser takes over the stage first, and reacts in between. */}
      <Suspense fallback={null}>
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

/** The part below the stage. */
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
