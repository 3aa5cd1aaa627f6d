import type { ComponentProps, ReactNode } from 'react';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

type EmptyPageProps = {
  title: string;
  lead?: ReactNode;
  end?: ReactNode;
  empty: ComponentProps<typeof EmptyState>;
};

/** A page whose list has nothing in it: the title stays, and one sentence says what will fill it. */
export function EmptyPage({ title, lead, end, empty }: EmptyPageProps) {
  return (
    <>
      <PageHead title={title} lead={lead} end={end} />
      <div className="px-gutter pt-8">
        <EmptyState {...empty} />
      </div>
    </>
  );
}
