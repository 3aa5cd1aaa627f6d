import type { PageQuery } from '#contract/paging.ts';
import type { Db } from '../../db/connect.ts';
import type {
  ProviderSubscriptionsTable,
  CheckoutsTable,
  InvoicesTable,
  LedgerEntriesTable,
} from '../../db/billing-tables.ts';
import { CursorNumber, paginate, type Page } from '../../http/paginate.ts';

export type LedgerEntry = LedgerEntriesTable;
export type ProviderSubscriptionRow = ProviderSubscriptionsTable;
export type CheckoutRow = CheckoutsTable;
export type InvoiceRow = InvoicesTable;

/** A member has a few rows for each month; all of them together are the answer. */
export const listLedgerEntries = (db: Db, userId: string): Promise<LedgerEntry[]> =>
  db.selectFrom('ledger_entries').selectAll().where('user_id', '=', userId).orderBy('seq').execute();

export const listProviderSubscriptionsOf = (db: Db, userId: string): Promise<ProviderSubscriptionRow[]> =>
  db
    .selectFrom('provider_subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('started_at')
    .orderBy('id')
    .execute();

export const findCheckout = (db: Db, reference: string): Promise<CheckoutRow | undefined> =>
  db.selectFrom('checkouts').selectAll().where('reference', '=', reference).executeTakeFirst();

export const MOST_CHECKOUTS = 50;

/** The newest of them. */
export const listCheckoutsOf = (db: Db, userId: string): Promise<CheckoutRow[]> =>
  db
    .selectFrom('checkouts')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('reference', 'desc')
    .limit(MOST_CHECKOUTS)
    .execute();

const MOST_ASKED = 10;

/** Those that are not decided, the oldest first: none is asked about for ever in vain. */
export const listOpenCheckouts = (db: Db, userId: string): Promise<CheckoutRow[]> =>
  db
    .selectFrom('checkouts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '=', 'open')
    .orderBy('created_at')
    .orderBy('reference')
    .limit(MOST_ASKED)
    .execute();

/** The newest first; numbers only count up. */
export const listInvoices = (
  db: Db,
  userId: string,
  page: PageQuery,
): Promise<Page<InvoiceRow>> =>
  paginate(db.selectFrom('invoices').selectAll().where('user_id', '=', userId), page, {
    orderBy: [['number', CursorNumber]],
  });

export const findInvoice = (db: Db, userId: string, id: string): Promise<InvoiceRow | undefined> =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();

export async function findPaidThroughOf(db: Db, userId: string): Promise<number | null> {
  const row = await db
    .selectFrom('users')
    .select('paid_through')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.paid_through ?? null;
}

/** Of these subscriptions those that are known to be another's, or of somebody who has left. */
export async function listForeignProviderSubscriptions(
  db: Db,
  provider: string,
  providerSubscriptionIds: readonly string[],
  userId: string,
): Promise<string[]> {
  if (providerSubscriptionIds.length === 0) return [];
  const rows = await db
    .selectFrom('provider_subscriptions')
    .select(['provider_subscription_id', 'user_id'])
    .where('provider', '=', provider)
    .where('provider_subscription_id', 'in', providerSubscriptionIds)
    .execute();
  return rows.filter((row) => row.user_id !== userId).map((row) => row.provider_subscription_id);
}

/** Everybody here whom the provider knows as this customer; null stands for who has left. */
export async function listUsersOfCustomer(
  db: Db,
  provider: string,
  customerId: string,
): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('provider_subscriptions')
    .select('user_id')
    .where('provider', '=', provider)
    .where('customer_id', '=', customerId)
    .union(
      db
        .selectFrom('checkouts')
        .select('user_id')
        .where('provider', '=', provider)
        .where('customer_id', '=', customerId),
    )
    .execute();
  return rows.map((row) => row.user_id);
}

/** The member that a subscription is known to belong to; undefined when nobody here knows it. */
export const findProviderSubscription = (
  db: Db,
  provider: string,
  providerSubscriptionId: string,
): Promise<ProviderSubscriptionRow | undefined> =>
  db
    .selectFrom('provider_subscriptions')
    .selectAll()
    .where('provider', '=', provider)
    .where('provider_subscription_id', '=', providerSubscriptionId)
    .executeTakeFirst();

/** Whose payment it is that a provider names by nothing else. */
export const findChargeOwner = (
  db: Db,
  provider: string,
  chargeId: string,
): Promise<{ user_id: string | null } | undefined> =>
  db
    .selectFrom('ledger_entries')
    .select('user_id')
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .executeTakeFirst();
