import { Skeleton } from './skeleton.tsx';

/** Rows of text on a panel, with a round picture before each if they have one. */
export function PanelRowsSkeleton({
  rows = 5,
  hasPicture = false,
}: {
  rows?: number;
  hasPicture?: boolean;
}) {
  return (
    <div className="w-full rounded-panel bg-surface">
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={row}
          className="flex min-h-[72px] items-center gap-3.5 border-t border-line px-4 py-3 first:border-0 @3xl/content:px-5"
        >
          {hasPicture && <Skeleton className="size-9 shrink-0 rounded-pill" />}
          <div className="min-w-0 flex-1">
            <Skeleton className="mb-2 h-3.5 w-3/5 max-w-80" />
            <Skeleton className="h-3 w-2/5 max-w-52" />
          </div>
          <Skeleton className="h-3 w-28 @max-3xl/content:hidden" />
        </div>
      ))}
    </div>
  );
}

/** The panels of figures: a label, a large number and a line. */
export function FigureSkeleton({ className = '' }: { className?: string }) {
  return (
    <div className={`bg-surface p-4 @3xl/content:p-[22px] ${className}`}>
      <Skeleton className="mb-4 h-3.5 w-24" />
      <Skeleton className="mb-3 h-11 w-28" />
      <Skeleton className="h-3 w-4/5" />
    </div>
  );
}
