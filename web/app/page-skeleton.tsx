import { FormSkeleton, RowsSkeleton, StageSkeleton, TextSkeleton } from '#web/ui/skeleton.tsx';
import type { SkeletonKind } from './route.ts';

const shapes: Record<SkeletonKind, () => React.ReactNode> = {
  stage: () => <StageSkeleton />,
  rows: () => <RowsSkeleton />,
  form: () => <FormSkeleton />,
  text: () => <TextSkeleton />,
};

export function PageSkeleton({ kind }: { kind: SkeletonKind }) {
  return (
    <div role="status" aria-label="Loading" className="px-gutter pt-8">
      {shapes[kind]()}
    </div>
  );
}
