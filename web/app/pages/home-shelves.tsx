import { lazy, Suspense } from 'react';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { boot } from '#web/lib/boot.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { HomeReleases } from './home-releases.tsx';
import { YearSection } from './year-section.tsx';

const DemoMusic = lazy(() =>
  import('./demo-music.tsx').then((module) => ({ default: module.DemoMusic })),
);

type HomeShelvesProps = {
  thisWeek: WeekOfYear;
  /** The newest, which is on the stage, and those before it. */
  tracks: readonly Track[];
  /** Where the mixes could not be loaded: a way to ask for them again. */
  onRetry: (() => void) | null;
};

/** The year, and the mixes before this one. */
export function HomeShelves({ thisWeek, tracks, onRetry }: HomeShelvesProps) {
  return (
    <>
      {boot.demo && (
        <Suspense fallback={null}>
          <DemoMusic />
        </Suspense>
      )}
      <YearSection {...thisWeek} />
      {onRetry ? (
        <LoadProblem onRetry={onRetry} />
      ) : (
        <HomeReleases releases={tracks.slice(1)} queue={tracks} />
      )}
    </>
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
