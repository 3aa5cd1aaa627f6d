import { createHmac } from 'node:crypto';
import type { Db, Tx } from '../../db/connect.ts';
import { readSecret } from '../../db/secrets.ts';
import { listLedger } from './queries.ts';

const SECRET = 'left-benefits';
const TRIAL = 'trial';

/** Says whether it is the same address, and to nobody which one it is. */
async function hashEmailOf(db: Db, userId: string): Promise<string | null> {
  const user = await db
    .selectFrom('users')
    .select('email_key')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!user) return null;
  const secret = await readSecret(db, SECRET);
  return createHmac('sha256', secret).update(user.email_key).digest('base64url');
}

async function hasHad(db: Db, userId: string, what: string): Promise<boolean> {
  const hash = await hashEmailOf(db, userId);
  const row = await db
    .selectFrom('left_benefits')
    .select('what')
    .where('email_hash', '=', hash ?? '')
    .where('what', '=', what)
    .executeTakeFirst();
  return row !== undefined;
}

/** Who left and came back with the same address has had what there is once. */
export const hadTrialBefore = (db: Db, userId: string) => hasHad(db, userId, TRIAL);
export const hadCouponBefore = (db: Db, userId: string, couponId: string) =>
  hasHad(db, userId, `coupon:${couponId}`);

/** What a member who leaves has had and may not have again. */
export async function keepBenefits(tx: Tx, userId: string, now: number) {
  const ledger = await listLedger(tx, userId);
  const uses = await tx
    .selectFrom('coupon_uses')
    .select('coupon_id')
    .where('user_id', '=', userId)
    .where('is_used', '=', 1)
    .execute();
  const isNew = !ledger.some(({ kind }) => ['charge', 'trial', 'coupon'].includes(kind));
  const had = [...(isNew ? [] : [TRIAL]), ...uses.map((row) => `coupon:${row.coupon_id}`)];
  const hash = had.length > 0 ? await hashEmailOf(tx, userId) : null;
  if (hash === null) return;
  await tx
    .insertInto('left_benefits')
    .values(had.map((what) => ({ email_hash: hash, what, at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
