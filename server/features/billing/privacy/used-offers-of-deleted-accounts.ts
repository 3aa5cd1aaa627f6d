import { createHmac } from 'node:crypto';
import type { Db, Tx } from '../../../db/connect.ts';
import { readSecret } from '../../../db/secrets.ts';
import { listLedgerEntries } from '../queries.ts';
import { findWithdrawal } from '../subscriptions/service.ts';

const SECRET = 'used-offers';
const TRIAL = 'trial';
const WITHDRAWAL = 'withdrawal';

/** A keyed hash: it recognises the same address without storing it. */
async function hashEmailOf(db: Db, userId: string): Promise<string | null> {
  const user = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!user) return null;
  const secret = await readSecret(db, SECRET);
  return createHmac('sha256', secret).update(user.email.toLowerCase()).digest('base64url');
}

async function hasUsed(db: Db, userId: string, offer: string): Promise<boolean> {
  const hash = await hashEmailOf(db, userId);
  const row = await db
    .selectFrom('used_offers_of_deleted_accounts')
    .select('offer')
    .where('email_hash', '=', hash ?? '')
    .where('offer', '=', offer)
    .executeTakeFirst();
  return row !== undefined;
}

/** Users who return with the same address do not get a one-time offer again. */
export const hadTrialBeforeDeletion = (db: Db, userId: string) => hasUsed(db, userId, TRIAL);
export const hadCouponBeforeDeletion = (db: Db, userId: string, couponId: string) =>
  hasUsed(db, userId, `coupon:${couponId}`);

export const hasWithdrawnBeforeDeletion = (db: Db, userId: string) =>
  hasUsed(db, userId, WITHDRAWAL);

/** Remembers the one-time offers of an account that is being deleted. */
export async function recordUsedOffers(tx: Tx, userId: string, now: number) {
  const ledger = await listLedgerEntries(tx, userId);
  const uses = await tx
    .selectFrom('payments')
    .select('coupon_id')
    .distinct()
    .where('user_id', '=', userId)
    .where('coupon_id', 'is not', null)
    .where('state', '=', 'paid')
    .execute();
  const withdrawal = await findWithdrawal(tx, userId);
  const isNew = !ledger.some(({ kind }) => ['charge', 'trial', 'coupon'].includes(kind));
  const used = [
    ...(isNew ? [] : [TRIAL]),
    ...(withdrawal ? [WITHDRAWAL] : []),
    ...uses.map((row) => `coupon:${row.coupon_id}`),
  ];
  const hash = used.length > 0 ? await hashEmailOf(tx, userId) : null;
  if (hash === null) return;
  await tx
    .insertInto('used_offers_of_deleted_accounts')
    .values(used.map((offer) => ({ email_hash: hash, offer, at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
