import { FormSkeleton, HeadSkeleton, RowsSkeleton, TextSkeleton } from '#web/ui/skeleton.tsx';
import { StageSkeleton } from '#web/ui/stage-skeleton.tsx';
import type { Route, SkeletonKind } from './route.ts';

const shapes: Record<Exclude<SkeletonKind, 'stage'>, () => React.ReactNode> = {
  rows: () => <RowsSkeleton />,
  form: () => <FormSkeleton />,
  text: () => <TextSkeleton />,
};

/** A route may have its own skeleton; the others share a few. */
export function PageSkeleton({ kind }: { kind: Route['skeleton'] }) {
  if (typeof kind === 'function') return kind();
  return (
    <div role="status" aria-label="Loading">
      {kind === 'stage' ? (
        <StageSkeleton />
      ) : (
        <>
          {kind !== 'form' && <HeadSkeleton />}
          <div className="px-gutter pt-8">{shapes[kind]()}</div>
        </>
      )}
    </div>
  );
}
