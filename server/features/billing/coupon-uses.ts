import { sql } from 'kysely';
import type { Tx } from '../../db/connect.ts';
import type { CheckoutRow } from './queries.ts';

type Holder = { couponId: string; userId: string; reference: string };

const countUses = (tx: Tx, couponId: string, change: 1 | -1) =>
  tx
    .updateTable('coupons')
    .set({ uses: sql<number>`uses + ${change}` })
    .where('id', '=', couponId)
    .execute();

/** Whichever checkout of the member was paid: one that had been given up counts again. */
async function useCoupon(tx: Tx, { couponId, userId, reference }: Holder, now: number) {
  const held = await tx
    .updateTable('coupon_uses')
    .set({ is_used: 1 })
    .where('coupon_id', '=', couponId)
    .where('user_id', '=', userId)
    .returning('reference')
    .executeTakeFirst();
  if (held) return;
  await tx
    .insertInto('coupon_uses')
    .values({ coupon_id: couponId, user_id: userId, reference, is_used: 1, at: now })
    .execute();
  await countUses(tx, couponId, 1);
}

/** Others may use what a checkout that came to nothing held, unless the member has another with it. */
async function releaseCoupon(tx: Tx, { couponId, userId }: Holder) {
  const other = await tx
    .selectFrom('checkouts')
    .select('reference')
    .where('user_id', '=', userId)
    .where('coupon_id', '=', couponId)
    .where('state', 'in', ['open', 'paid'])
    .executeTakeFirst();
  if (other) return;
  const row = await tx
    .deleteFrom('coupon_uses')
    .where('coupon_id', '=', couponId)
    .where('user_id', '=', userId)
    .where('is_used', '=', 0)
    .returning('coupon_id')
    .executeTakeFirst();
  if (row) await countUses(tx, couponId, -1);
}

/** A code counts as used once its checkout is through, and is free again when that is given up. */
export async function settleCoupons(tx: Tx, checkouts: readonly CheckoutRow[], now: number) {
  for (const { reference, state, coupon_id: couponId, user_id: userId } of checkouts) {
    if (couponId === null || userId === null || state === 'open') continue;
    const holder = { couponId, userId, reference };
    if (state === 'paid') await useCoupon(tx, holder, now);
    else await releaseCoupon(tx, holder);
  }
}
