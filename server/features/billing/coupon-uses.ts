import { sql } from 'kysely';
import type { Tx } from '../../db/connect.ts';
import type { CheckoutRow } from './queries.ts';

const useCoupon = (tx: Tx, reference: string) =>
  tx.updateTable('coupon_uses').set({ is_used: 1 }).where('reference', '=', reference).execute();

/** Others may use what a checkout that came to nothing held. */
async function releaseCoupon(tx: Tx, reference: string) {
  const row = await tx
    .deleteFrom('coupon_uses')
    .where('reference', '=', reference)
    .where('is_used', '=', 0)
    .returning('coupon_id')
    .executeTakeFirst();
  if (!row) return;
  await tx
    .updateTable('coupons')
    .set({ uses: sql<number>`uses - 1` })
    .where('id', '=', row.coupon_id)
    .execute();
}

/** A code counts as used once its checkout is through, and is free again when that is given up. */
export async function settleCoupons(tx: Tx, checkouts: readonly CheckoutRow[]) {
  for (const { reference, state, coupon_id } of checkouts) {
    if (coupon_id === null) continue;
    if (state === 'paid') await useCoupon(tx, reference);
    if (state === 'expired' || state === 'failed') await releaseCoupon(tx, reference);
  }
}
