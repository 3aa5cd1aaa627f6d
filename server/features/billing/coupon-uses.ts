import { sql } from 'kysely';
import type { Tx } from '../../db/connect.ts';
import type { CheckoutRow } from './queries.ts';

/** A code counts as used once its checkout is through. */
export async function settleCoupons(tx: Tx, checkouts: readonly CheckoutRow[]) {
  for (const { reference, state, coupon_id } of checkouts)
    if (coupon_id !== null && state === 'paid')
      await tx
        .updateTable('coupon_uses')
        .set({ is_used: 1 })
        .where('reference', '=', reference)
        .execute();
}

/** Others may use what a checkout that came to nothing held. */
export async function releaseCoupon(tx: Tx, reference: string) {
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
