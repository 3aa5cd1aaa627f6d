import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/connect.ts';
import { AppError } from '../../../http/app-error.ts';
import type { PaymentRow } from '../queries.ts';

type Reservation = { couponId: string; userId: string; reference: string };

/** Counts one use of a limited coupon, until it is released; false when none is left. */
async function claimUse(tx: Tx, couponId: string): Promise<boolean> {
  const claimed = await tx
    .updateTable('coupons')
    .set({ uses: sql<number>`uses + 1` })
    .where('id', '=', couponId)
    .where((where) =>
      where.or([where('max_uses', 'is', null), where('uses', '<', where.ref('max_uses'))]),
    )
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

export const findCouponUse = (db: Db, couponId: string, userId: string) =>
  db
    .selectFrom('coupon_uses')
    .select(['is_used', 'reference'])
    .where('coupon_id', '=', couponId)
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** Reserves a use for a checkout, so that two users never get the last one. */
export async function reserveCoupon(
  tx: Tx,
  { couponId, userId, reference }: Reservation,
  now: number,
) {
  const use = await findCouponUse(tx, couponId, userId);
  if (use?.is_used === 1) throw new AppError('coupon_invalid');
  if (use) {
    await tx
      .updateTable('coupon_uses')
      .set({ reference, at: now })
      .where('coupon_id', '=', couponId)
      .where('user_id', '=', userId)
      .execute();
    return;
  }
  if (!(await claimUse(tx, couponId))) throw new AppError('coupon_invalid');
  await tx
    .insertInto('coupon_uses')
    .values({ coupon_id: couponId, user_id: userId, reference, is_used: 0, at: now })
    .execute();
}

/** Gives back a use that the user reserved but has not used. */
async function releaseUse(tx: Tx, userId: string, couponId: string) {
  const row = await tx
    .deleteFrom('coupon_uses')
    .where('coupon_id', '=', couponId)
    .where('user_id', '=', userId)
    .where('is_used', '=', 0)
    .returning('coupon_id')
    .executeTakeFirst();
  if (!row) return;
  await tx
    .updateTable('coupons')
    .set({ uses: sql<number>`uses - 1` })
    .where('id', '=', couponId)
    .execute();
}

export async function releaseAllUses(tx: Tx, userId: string) {
  const reserved = await tx
    .selectFrom('coupon_uses')
    .select('coupon_id')
    .where('user_id', '=', userId)
    .execute();
  for (const { coupon_id } of reserved) await releaseUse(tx, userId, coupon_id);
}

/**
 * For any payment of the user that has arrived, even one that had expired. False if this user or all
 * users together have used it up.
 */
export async function useCoupon(
  tx: Tx,
  { coupon_id: couponId, user_id: userId, reference }: PaymentRow,
  now: number,
): Promise<boolean> {
  if (couponId === null || userId === null) return true;
  const use = await findCouponUse(tx, couponId, userId);
  if (use?.is_used === 1) return use.reference === reference;
  if (!use && !(await claimUse(tx, couponId))) return false;
  await tx
    .insertInto('coupon_uses')
    .values({ coupon_id: couponId, user_id: userId, reference, is_used: 1, at: now })
    .onConflict((conflict) =>
      conflict.columns(['coupon_id', 'user_id']).doUpdateSet({ reference, is_used: 1 }),
    )
    .execute();
  return true;
}

/** Releases the use of a payment that won't come, unless the user has another one with this coupon. */
export async function releaseCoupon(tx: Tx, row: PaymentRow): Promise<void> {
  const { coupon_id: couponId, user_id: userId, reference } = row;
  if (couponId === null || userId === null) return;
  const other = await tx
    .selectFrom('payments')
    .select('reference')
    .where('user_id', '=', userId)
    .where('coupon_id', '=', couponId)
    .where('state', 'in', ['open', 'pending', 'paid'])
    .where('reference', '<>', reference)
    .executeTakeFirst();
  if (!other) await releaseUse(tx, userId, couponId);
}
