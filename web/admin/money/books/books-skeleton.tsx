import { Skeleton } from '#web/ui/skeleton.tsx';

/** Four panels of figures in a very wide window, so that the payouts come last and push nothing. */
export const booksGridClass =
  'grid items-start gap-x-14 gap-y-8 *:min-w-0 @5xl/content:grid-cols-2 @double/content:grid-cols-4';

/** Sales and refunds, VAT, fees and other money, payouts. */
const panelHeights = [
  'h-97 @sm/content:h-87 @lg/content:h-70',
  'h-37',
  'h-127 @sm/content:h-106 @lg/content:h-101',
  'h-37 @lg/content:h-28',
];

/** As high as the figures of a period, so that what is below them stays. */
export const TotalsSkeleton = () => (
  <div role="status" aria-label="Loading the figures" className={booksGridClass}>
    {panelHeights.map((height) => (
      <div key={height} className={`flex flex-col gap-4 ${height}`}>
        <Skeleton className="mt-2.5 h-6 w-40" />
        <Skeleton className="flex-1 rounded-panel" />
      </div>
    ))}
  </div>
);

/** The periods to choose from, and the figures of one. */
export const BooksSkeleton = () => (
  <>
    <div className="flex h-45 flex-wrap content-between items-center justify-between gap-x-8 @sm/content:h-25 @3xl/content:h-11">
      <Skeleton className="h-11 w-72 max-w-full rounded-pill" />
      <Skeleton className="h-9 w-80 max-w-full rounded-pill" />
    </div>
    <TotalsSkeleton />
  </>
);
