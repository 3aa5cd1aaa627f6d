import type { Db } from '../../../db/connect.ts';
import { readCouponAvailability, type CouponAvailability } from '../coupons/coupon-uses.ts';
import {
  findCheckout,
  isUndecided,
  listCheckoutsOf,
  listLedgerEntries,
  listUndecidedCheckouts,
  listProviderSubscriptionsOf,
  MAX_CHECKOUTS,
  type CheckoutRow,
  type LedgerEntry,
  type ProviderSubscriptionRow,
} from '../queries.ts';

/** What our database has about a user's payments. */
export type LocalState = {
  checkouts: readonly CheckoutRow[];
  providerSubscriptions: readonly ProviderSubscriptionRow[];
  ledger: readonly LedgerEntry[];
  /** The coupons of undecided checkouts, by id. */
  coupons?: ReadonlyMap<string, CouponAvailability>;
};

export type Account = { userId: string; version: number; localState: LocalState };

/** Few users have more checkouts than are listed anyway. */
async function findUndecided(db: Db, userId: string, newest: readonly CheckoutRow[]) {
  if (newest.length >= MAX_CHECKOUTS) return listUndecidedCheckouts(db, userId);
  return newest.filter(isUndecided).toReversed();
}

async function findByReferences(db: Db, userId: string, references: readonly string[]) {
  const rows: CheckoutRow[] = [];
  for (const reference of references) {
    const row = await findCheckout(db, reference);
    if (row?.user_id === userId) rows.push(row);
  }
  return rows;
}

/** With the version of the account, so that a write can tell whether this is still current. */
export async function readAccount(
  db: Db,
  userId: string,
  references: readonly string[] = [],
): Promise<Account> {
  const named = await findByReferences(db, userId, references);
  const row = await db
    .selectFrom('billing_accounts')
    .select('version')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const newest = await listCheckoutsOf(db, userId);
  // Undecided ones first: the provider is asked about them in this order.
  const all = [...(await findUndecided(db, userId, newest)), ...named, ...newest];
  const checkouts = new Map(all.map((checkout) => [checkout.reference, checkout]));
  return {
    userId,
    version: row?.version ?? 0,
    localState: {
      checkouts: [...checkouts.values()],
      providerSubscriptions: await listProviderSubscriptionsOf(db, userId),
      ledger: await listLedgerEntries(db, userId),
      coupons: await readCouponAvailability(db, userId, [...checkouts.values()]),
    },
  };
}
