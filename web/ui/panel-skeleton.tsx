import { Skeleton } from './skeleton.tsx';

type PanelRowsSkeletonProps = {
  rows?: number;
  /** A round picture before each row. */
  hasPicture?: boolean;
  /** Lines at the end of each row, or below it on a phone. */
  endLines?: number;
};

/** Rows of text on a panel. */
export function PanelRowsSkeleton({
  rows = 5,
  hasPicture = false,
  endLines = 1,
}: PanelRowsSkeletonProps) {
  return (
    <div role="status" aria-label="Loading" className="w-full rounded-panel bg-surface">
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={row}
          className="flex min-h-16 items-center gap-3.5 border-t border-line px-4 py-3 first:border-0 @3xl/content:px-5"
        >
          {hasPicture && <Skeleton className="size-9 shrink-0 rounded-pill" />}
          <div className="grid min-w-0 flex-1 items-center gap-x-6 gap-y-1 @3xl/content:grid-cols-[minmax(0,1fr)_auto]">
            <div>
              <Skeleton className="mt-1 mb-2 h-3.5 w-3/5 max-w-80" />
              <Skeleton className="h-3 w-2/5 max-w-52" />
            </div>
            <div className="grid gap-1.5">
              {Array.from({ length: endLines }, (__, line) => (
                <Skeleton key={line} className="h-3 w-36 max-w-full" />
              ))}
            </div>
          </div>
        </div>
      ))}
    </div>
  );
}

type FigureSkeletonProps = {
  /** How it changed since the previous period. */
  hasChange?: boolean;
  className?: string;
};

/** The panels of figures: a label, a large number and its definition. */
export function FigureSkeleton({ hasChange = false, className = '' }: FigureSkeletonProps) {
  return (
    <div className={`flex flex-col gap-3 bg-surface p-4 @3xl/content:p-[22px] ${className}`}>
      <Skeleton className="h-5 w-24" />
      <Skeleton className="h-10 w-28 @5xl/content:h-14" />
      {hasChange && <Skeleton className="h-5 w-3/5" />}
      <Skeleton className="h-9 w-4/5" />
    </div>
  );
}
