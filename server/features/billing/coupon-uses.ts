import { sql } from 'kysely';
import type { Tx } from '../../db/connect.ts';
import { AccountMoved } from './account.ts';
import type { CheckoutRow } from './queries.ts';

type Holder = { couponId: string; userId: string; reference: string };

/** One of the uses there are, for good or until it is given back; false when none is left. */
export async function takeUse(tx: Tx, couponId: string): Promise<boolean> {
  const taken = await tx
    .updateTable('coupons')
    .set({ uses: sql<number>`uses + 1` })
    .where('id', '=', couponId)
    .where((where) =>
      where.or([where('max_uses', 'is', null), where('uses', '<', where.ref('max_uses'))]),
    )
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** What a member holds and has not used, for others to use. */
async function giveBack(tx: Tx, userId: string, couponId: string) {
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

/** Whoever leaves holds nothing back from others. */
export async function giveBackAll(tx: Tx, userId: string) {
  const held = await tx
    .selectFrom('coupon_uses')
    .select('coupon_id')
    .where('user_id', '=', userId)
    .execute();
  for (const { coupon_id } of held) await giveBack(tx, userId, coupon_id);
}

/** Whichever checkout of the member was paid: one that had been given up counts again. */
async function useCoupon(tx: Tx, { couponId, userId, reference }: Holder, now: number) {
  const held = await tx
    .selectFrom('coupon_uses')
    .select('is_used')
    .where('coupon_id', '=', couponId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (held?.is_used === 1) return;
  // Decided while a use was left, and somebody else has taken it since: it is decided anew.
  if (!held && !(await takeUse(tx, couponId))) throw new AccountMoved();
  await tx
    .insertInto('coupon_uses')
    .values({ coupon_id: couponId, user_id: userId, reference, is_used: 1, at: now })
    .onConflict((conflict) =>
      conflict.columns(['coupon_id', 'user_id']).doUpdateSet({ reference, is_used: 1 }),
    )
    .execute();
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
  if (!other) await giveBack(tx, userId, couponId);
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
