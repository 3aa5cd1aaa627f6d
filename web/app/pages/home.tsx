import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { useThisWeek } from '#web/lib/this-week.ts';
import { tracksQuery } from '#web/lib/track-queries.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SleevesSkeleton } from '#web/ui/skeleton.tsx';
import { PageSkeleton } from '../page-skeleton.tsx';
import { EmptyHomeStage, HomeStage } from './home-stage.tsx';
import { useIsSettled } from './use-is-settled.ts';
import { YearSection } from './year-section.tsx';

const HomeReleases = lazy(() =>
  import('./home-releases.tsx').then((module) => ({ default: module.HomeReleases })),
);

/** This week's mix and a row of those before it. */
const SHOWN = 7;

export function HomePage() {
  const thisWeek = useThisWeek();
  const { user } = useCurrentUser();
  const isSettled = useIsSettled();
  const { data, isPending, isError, refetch } = useQuery(tracksQuery({ limit: SHOWN }));
  const tracks = data?.items ?? [];
  const [newest, ...releases] = tracks;
  if (isPending) return <PageSkeleton kind="stage" />;
  return (
    <>
      {newest ? (
        <HomeStage track={newest} tracks={tracks} thisWeek={thisWeek} user={user} />
      ) : (
        <EmptyHomeStage thisWeek={thisWeek} />
      )}
      {isError && !newest && <LoadProblem onRetry={() => void refetch()} />}
      <YearSection {...thisWeek} />
      {isSettled ? (
        <Suspense fallback={<ReleasesSkeleton />}>
          <HomeReleases releases={releases} queue={tracks} />
        </Suspense>
      ) : (
        <ReleasesSkeleton />
      )}
    </>
  );
}

/** Below the fold: its code may come after the page can be used. */
function ReleasesSkeleton() {
  return (
    <div className="px-gutter pt-7">
      <SleevesSkeleton />
    </div>
  );
}

function LoadProblem({ onRetry }: { onRetry: () => void }) {
  return (
    <section role="alert" className="px-gutter pt-7">
      <EmptyState
        glyph="broken"
        title="The mixes could not be loaded"
        action={
          <Button variant="line" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        What is playing plays on. Check the connection and try again.
      </EmptyState>
    </section>
  );
}
