import { useInfiniteQuery } from '@tanstack/react-query';
import type { Coupon } from '#contract/admin/billing.ts';
import { describeFailure } from '#web/lib/api.ts';
import { formatCount, formatShortDate } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { couponsQuery } from './api.ts';

function describeCoupon({ kind, percent, freeDays, plans, endsAt }: Coupon): string {
  const discount =
    kind === 'percent' ? `${percent}% off the first payment` : `${freeDays} free days`;
  const ends = endsAt === null ? '' : `, until ${formatShortDate(endsAt)}`;
  return `${discount}, ${plans.join(' and ')}${ends}`;
}

function describeUses({ uses, maxUses }: Coupon): string {
  if (maxUses !== null) return `Used ${uses} of ${formatCount(maxUses, 'time')}`;
  if (uses === 0) return 'Not used yet';
  return uses === 1 ? 'Used once' : `Used ${formatCount(uses, 'time')}`;
}

export function CouponList() {
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(couponsQuery);
  if (error && !data)
    return <Notice tone="danger" title={describeFailure(error, 'Couldn’t load codes.')} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const coupons = data.pages.flatMap(({ items }) => items);
  if (coupons.length === 0) return <p className="text-text-2">No codes yet.</p>;
  return (
    <div className="flex flex-col items-start gap-4">
      <ul aria-label="Coupons" className="w-full rounded-panel bg-surface">
        {coupons.map((coupon) => (
          <li
            key={coupon.id}
            className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line px-5 py-3 first:border-0"
          >
            <span>
              <span className="font-semibold tabular-nums">{coupon.code}</span>
              <span className="block text-13 text-text-2">{describeCoupon(coupon)}</span>
            </span>
            <span className="text-13 text-text-2 tabular-nums">{describeUses(coupon)}</span>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="line" onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}
