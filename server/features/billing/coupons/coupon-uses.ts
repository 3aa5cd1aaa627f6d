import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/connect.ts';
import { AppError } from '../../../http/app-error.ts';
import { AccountChanged } from '../account-lock.ts';
import type { CheckoutRow } from '../queries.ts';

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
    .select('is_used')
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

/** For any checkout of the user that was paid, even one that had already expired. */
async function useCoupon(tx: Tx, { couponId, userId, reference }: Reservation, now: number) {
  const use = await findCouponUse(tx, couponId, userId);
  if (use?.is_used === 1) return;
  // Someone else has taken the last use since this was decided: decide again.
  if (!use && !(await claimUse(tx, couponId))) throw new AccountChanged();
  await tx
    .insertInto('coupon_uses')
    .values({ coupon_id: couponId, user_id: userId, reference, is_used: 1, at: now })
    .onConflict((conflict) =>
      conflict.columns(['coupon_id', 'user_id']).doUpdateSet({ reference, is_used: 1 }),
    )
    .execute();
}

/** The payment goes back, so its reduced price was never used. */
const unuseCoupon = (tx: Tx, { couponId, userId, reference }: Reservation) =>
  tx
    .updateTable('coupon_uses')
    .set({ is_used: 0 })
    .where('coupon_id', '=', couponId)
    .where('user_id', '=', userId)
    .where('reference', '=', reference)
    .execute();

/** Releases the use of an unpaid checkout, unless the user has another checkout with this coupon. */
async function releaseCoupon(tx: Tx, { couponId, userId }: Reservation) {
  const other = await tx
    .selectFrom('checkouts')
    .select('reference')
    .where('user_id', '=', userId)
    .where('coupon_id', '=', couponId)
    .where('state', 'in', ['open', 'paid'])
    .executeTakeFirst();
  if (!other) await releaseUse(tx, userId, couponId);
}

/** A coupon is used once its checkout is paid, and free again when that fails, expires or is refunded. */
export async function updateCouponUses(tx: Tx, checkouts: readonly CheckoutRow[], now: number) {
  for (const { reference, state, coupon_id: couponId, user_id: userId, free_days } of checkouts) {
    if (couponId === null || userId === null || state === 'open') continue;
    const reservation = { couponId, userId, reference };
    // Free days that have begun stay used.
    if (state === 'refused' && free_days === 0) await unuseCoupon(tx, reservation);
    if (state === 'paid') await useCoupon(tx, reservation, now);
    else await releaseCoupon(tx, reservation);
  }
}

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
