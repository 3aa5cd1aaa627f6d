import { useInfiniteQuery } from '@tanstack/react-query';
import type { Coupon } from '#contract/admin/billing.ts';
import { formatCount, formatShortDate } from '#web/lib/format/format.ts';
import { PagedList } from '#web/ui/paged-list.tsx';
import { pagedQuery } from '#web/lib/api/api-query.ts';

export const couponsQuery = pagedQuery('GET /api/admin/coupons', { query: { limit: 50 } });

function describeCoupon({ kind, percent, freeDays, plans, endsAt }: Coupon): string {
  const discount =
    kind === 'percent' ? `${percent}% off the first payment` : `${freeDays} free days`;
  const ends = endsAt === null ? '' : `, until ${formatShortDate(endsAt)}`;
  return `${discount}, ${plans.join(' and ')}${ends}`;
}

/** It leaves less to pay than the payment provider takes. */
export const describeTooSmall = ({ tooSmallFor }: Pick<Coupon, 'tooSmallFor'>): string =>
  `Can’t be used for the ${tooSmallFor.join(' or ')} plan: too little is left to pay by card.`;

function describeUses({ uses, maxUses }: Coupon): string {
  if (maxUses !== null) return `Used ${uses} of ${formatCount(maxUses, 'time')}`;
  if (uses === 0) return 'Not used yet';
  return uses === 1 ? 'Used once' : `Used ${formatCount(uses, 'time')}`;
}

export function CouponList() {
  return (
    <PagedList
      label="Coupons"
      query={useInfiniteQuery(couponsQuery)}
      failed="Couldn’t load codes."
      empty="No codes yet."
      renderItem={(coupon) => (
        <li
          key={coupon.id}
          className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line px-5 py-3 first:border-0"
        >
          <span>
            <span className="font-semibold tabular-nums">{coupon.code}</span>
            <span className="block text-13 text-text-2">{describeCoupon(coupon)}</span>
            {coupon.tooSmallFor.length > 0 && (
              <span className="block text-13 text-warning">{describeTooSmall(coupon)}</span>
            )}
          </span>
          <span className="text-13 text-text-2 tabular-nums">{describeUses(coupon)}</span>
        </li>
      )}
    />
  );
}
