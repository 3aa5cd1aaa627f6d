import type { ReactNode } from 'react';
import { ReportSkeleton } from './figures/report-skeleton.tsx';
import { FigureSkeleton, PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { Skeleton, WaveformSkeleton } from '#web/ui/skeleton.tsx';

const repeat = (count: number, render: (index: number) => ReactNode) =>
  Array.from({ length: count }, (_, index) => render(index));

/** The sentence next to the heading. */
export const LeadSkeleton = () => <Skeleton className="h-[1lh] w-64 max-w-full" />;

/** The mix of the week, what is ready of it, and panels. */
export const FridaySkeleton = () => (
  <div role="status" aria-label="Loading this week" className="flex flex-col gap-4">
    <div className="flex flex-col gap-0.5">
      <div className="flex items-center gap-7 bg-surface p-4 @3xl/content:p-[22px]">
        <Skeleton className="h-24 w-20 shrink-0" />
        <div className="flex-1">
          <Skeleton className="mb-3 h-9 w-3/5" />
          <Skeleton className="h-4 w-4/5" />
        </div>
      </div>
      <div className="grid gap-0.5 @lg/content:grid-cols-2 @3xl/content:grid-cols-5">
        {repeat(5, (index) => (
          <div key={index} className="flex flex-col gap-2 bg-surface p-4">
            <Skeleton className="h-3" />
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-4 w-4/5" />
          </div>
        ))}
      </div>
    </div>
    <div className="grid gap-0.5 @5xl/content:grid-cols-2">
      <FigureSkeleton hasChange />
      <FigureSkeleton hasChange />
    </div>
  </div>
);

/** The rows of the catalogue: sleeve, four lines, four figures and two buttons. */
export const CatalogueRowsSkeleton = () => (
  <div
    role="status"
    aria-label="Loading mixes"
    className="-mt-4 @double/content:grid @double/content:grid-cols-2 @double/content:gap-x-14"
  >
    {repeat(8, (index) => (
      <div
        key={index}
        className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3"
      >
        <Skeleton className="size-14 shrink-0" />
        <div className="min-w-0 flex-1 basis-24">
          <Skeleton className="mb-1.5 h-5 w-1/2 max-w-64" />
          <Skeleton className="mb-1.5 h-3.5 w-2/5 max-w-52" />
          <Skeleton className="mb-1.5 h-3.5 w-1/3 max-w-44" />
          <Skeleton className="h-3 w-2/5 max-w-52" />
        </div>
        <div className="flex justify-between gap-2 @max-4xl/content:order-last @max-4xl/content:w-full">
          {repeat(4, (figure) => (
            <Skeleton key={figure} className="h-10 w-14" />
          ))}
        </div>
        <Skeleton className="h-20 w-8 @lg/content:h-8 @lg/content:w-20" />
      </div>
    ))}
  </div>
);

const Filters = () => (
  <div className="flex flex-wrap gap-2.5">
    <Skeleton className="h-11 w-full rounded-field @2xl/content:w-72" />
    {repeat(4, (index) => (
      <Skeleton key={index} className="h-11 w-32 rounded-pill last:@5xl/content:ml-auto" />
    ))}
  </div>
);

export const CatalogueSkeleton = () => (
  <>
    <Filters />
    <CatalogueRowsSkeleton />
  </>
);

export const FieldSkeleton = ({ className = 'h-11' }: { className?: string }) => (
  <div>
    <Skeleton className="mb-2 h-3.5 w-24" />
    <Skeleton className={`rounded-field ${className}`} />
  </div>
);

/** The form of a mix beside its figures. */
export const EditSkeleton = () => (
  <div
    role="status"
    aria-label="Loading mix"
    className="grid items-start gap-x-14 gap-y-10 @4xl/content:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
  >
    <div className="col-span-full flex items-center gap-4">
      <Skeleton className="size-[60px] shrink-0 rounded-pill" />
      <Skeleton className="h-5 w-52" />
    </div>
    <div className="grid gap-5">
      <Skeleton className="size-24" />
      <FieldSkeleton />
      <div className="grid grid-cols-2 gap-4">
        {repeat(4, (index) => (
          <FieldSkeleton key={index} />
        ))}
      </div>
      <FieldSkeleton className="h-28" />
      <FieldSkeleton className="h-40" />
      <WaveformSkeleton className="h-20" />
    </div>
    <div className="grid grid-cols-2 gap-6">
      {repeat(4, (index) => (
        <Skeleton key={index} className="h-12 w-20" />
      ))}
    </div>
  </div>
);

export const FormPageSkeleton = () => (
  <div role="status" aria-label="Loading" className="grid max-w-[560px] gap-5">
    {repeat(4, (index) => (
      <FieldSkeleton key={index} />
    ))}
  </div>
);

export const UploadSkeleton = () => (
  <>
    <Skeleton className="h-32 rounded-panel" />
    <CatalogueRowsSkeleton />
  </>
);

export const ListSkeleton = () => (
  <div className="flex flex-col items-start gap-5">
    <Skeleton className="h-11 w-44 rounded-pill" />
    <PanelRowsSkeleton rows={8} />
  </div>
);

/** The facts about a member, then lists. */
export const MemberSkeleton = () => (
  <div className="flex flex-col gap-8">
    <div className="grid gap-0.5 @lg/content:grid-cols-2 @5xl/content:grid-cols-4">
      {repeat(4, (index) => (
        <FigureSkeleton key={index} />
      ))}
    </div>
    <PanelRowsSkeleton rows={4} />
  </div>
);

export const SubscribersSkeleton = () => (
  <div className="flex flex-col gap-5">
    <div className="flex flex-col gap-3 @xl/content:flex-row">
      <Skeleton className="h-11 rounded-field @xl/content:max-w-md @xl/content:flex-1" />
      <Skeleton className="h-11 w-36 rounded-pill" />
    </div>
    <PanelRowsSkeleton rows={8} hasPicture endLines={3} />
  </div>
);

/** The sentence that there are none: most sites have no failed jobs. */
export const NoJobsSkeleton = () => (
  <div role="status" aria-label="Loading jobs" className="w-full">
    <Skeleton className="h-[2lh] max-w-md @md/content:h-[1lh]" />
  </div>
);

/** The failed jobs beside or above all schedules. */
export const JobsSkeleton = () => (
  <div className="grid items-start gap-x-12 gap-y-8 @double/content:grid-cols-2">
    <div className="flex flex-col items-start gap-5">
      <Skeleton className="h-24 w-77 max-w-full rounded-[25px] @sm/content:h-12 md:@sm/content:h-11" />
      <NoJobsSkeleton />
    </div>
    <div>
      <Skeleton className="my-2.5 h-6 w-32" />
      <PanelRowsSkeleton rows={8} endLines={2} />
    </div>
  </div>
);

export const ReportsSkeleton = () => (
  <div className="grid items-start gap-x-10 @5xl/content:grid-cols-[12.5rem_minmax(0,1fr)]">
    <div className="grid gap-3 @max-5xl/content:hidden">
      {repeat(14, (index) => (
        <Skeleton key={index} className="h-4 w-32" />
      ))}
    </div>
    <div className="flex min-w-0 flex-col gap-6">
      <div className="flex flex-wrap gap-3">
        <Skeleton className="h-11 w-44 rounded-pill" />
        <Skeleton className="h-11 w-72 rounded-pill" />
      </div>
      <ReportSkeleton />
    </div>
  </div>
);
