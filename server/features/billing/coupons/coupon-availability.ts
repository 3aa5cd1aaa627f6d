import type { Db } from '../../../db/connect.ts';
import type { CheckoutRow } from '../queries.ts';

/** Which checkout of a user has used a coupon, and whether one of them still can. */
export type CouponAvailability = { usedBy: string | null; isLeft: boolean };

type Coupons = ReadonlyMap<string, CouponAvailability>;

/** The coupons of the checkouts that may still be paid. */
export async function readCouponAvailability(
  db: Db,
  userId: string,
  checkouts: readonly CheckoutRow[],
): Promise<Map<string, CouponAvailability>> {
  const ids = checkouts
    .filter(({ state }) => state !== 'paid' && state !== 'refused')
    .flatMap(({ coupon_id }) => coupon_id ?? []);
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('coupons')
    .leftJoin('coupon_uses', (join) =>
      join.onRef('coupon_uses.coupon_id', '=', 'coupons.id').on('coupon_uses.user_id', '=', userId),
    )
    .select(['id', 'max_uses', 'uses', 'reference', 'is_used'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(
    rows.map(({ id, max_uses, uses, reference, is_used }) => [
      id,
      {
        usedBy: is_used === 1 ? reference : null,
        // A use that this user has reserved is already counted.
        isLeft: reference !== null || max_uses === null || uses < max_uses,
      },
    ]),
  );
}

const availabilityOf = (
  coupons: Coupons | undefined,
  { coupon_id }: CheckoutRow,
): CouponAvailability | undefined => (coupon_id === null ? undefined : coupons?.get(coupon_id));

/** The reservation of this checkout expired, and other users have taken all remaining uses. */
export function isCouponTaken(coupons: Coupons | undefined, row: CheckoutRow): boolean {
  const availability = availabilityOf(coupons, row);
  return availability?.usedBy === null && !availability.isLeft;
}

/** Other users have taken all uses, or another checkout of this user has used it. */
export function isCouponSpent(coupons: Coupons | undefined, row: CheckoutRow): boolean {
  const usedBy = availabilityOf(coupons, row)?.usedBy ?? null;
  return usedBy === null ? isCouponTaken(coupons, row) : usedBy !== row.reference;
}

/** A reduced price is for one payment: after this one the coupon is used. */
export function spendCoupon(coupons: Coupons | undefined, row: CheckoutRow): Coupons {
  const { coupon_id: id, reference } = row;
  return new Map([
    ...(coupons ?? []),
    ...(id === null ? [] : [[id, { usedBy: reference, isLeft: false }] as const]),
  ]);
}
