import { FormSkeleton, RowsSkeleton, StageSkeleton, TextSkeleton } from '#web/ui/skeleton.tsx';
import type { Route, SkeletonKind } from './route.ts';

const shapes: Record<SkeletonKind, () => React.ReactNode> = {
  stage: () => <StageSkeleton />,
  rows: () => <RowsSkeleton />,
  form: () => <FormSkeleton />,
  text: () => <TextSkeleton />,
};

/** A page with a shape of its own brings it. */
export function PageSkeleton({ kind }: { kind: Route['skeleton'] }) {
  if (typeof kind === 'function') return kind();
  return (
    <div role="status" aria-label="Loading" className="px-gutter pt-8">
      {shapes[kind]()}
    </div>
  );
}
