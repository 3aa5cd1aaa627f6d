import { FigureSkeleton } from '#web/ui/panel-skeleton.tsx';
import { Skeleton, WaveformSkeleton } from '#web/ui/skeleton.tsx';

/** The title, figures and plot of a report. */
export function ReportSkeleton() {
  return (
    <div role="status" aria-label="Loading report" className="flex flex-col gap-0.5">
      <Skeleton className="mb-2 h-6 w-40" />
      <Skeleton className="mb-3 h-9 max-w-[60ch]" />
      <div className="grid gap-0.5 @xs/content:grid-cols-2 @3xl/content:grid-cols-3">
        {[0, 1, 2].map((tile) => (
          <FigureSkeleton
            key={tile}
            hasChange
            className="@xs/content:last:col-span-2 @3xl/content:last:col-span-1"
          />
        ))}
      </div>
      <div className="bg-surface p-4 @3xl/content:p-[22px]">
        <WaveformSkeleton className="h-64" bars={30} />
      </div>
      <Skeleton className="mt-3 h-5 w-36" />
    </div>
  );
}
