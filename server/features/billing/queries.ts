import type {
  CheckoutsTable,
  LedgerEntriesTable,
  ProviderSubscriptionsTable,
} from '../../db/billing-tables.ts';
import type { CreditNotesTable, InvoicesTable } from '../../db/books-tables.ts';
import type { Db } from '../../db/connect.ts';

export type LedgerEntry = LedgerEntriesTable;
export type ProviderSubscriptionRow = ProviderSubscriptionsTable;
export type CheckoutRow = CheckoutsTable;
export type InvoiceRow = InvoicesTable;
export type CreditNoteRow = CreditNotesTable;

/** Whether it will charge again unless someone cancels it. */
export const isRenewing = ({ status }: ProviderSubscriptionRow): boolean =>
  status === 'active' || status === 'late';

/** All entries of a user: a few for each month. */
export const listLedgerEntries = (db: Db, userId: string): Promise<LedgerEntry[]> =>
  db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('seq')
    .execute();

export const listProviderSubscriptionsOf = (db: Db, userId: string) =>
  db
    .selectFrom('provider_subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('started_at')
    .orderBy('id')
    .execute();

export const findProviderSubscription = (
  db: Db,
  provider: string,
  providerSubscriptionId: string,
) =>
  db
    .selectFrom('provider_subscriptions')
    .selectAll()
    .where('provider', '=', provider)
    .where('provider_subscription_id', '=', providerSubscriptionId)
    .executeTakeFirst();

/** Will be charged for, or will be settled soon: asked about at every reconciliation. */
export const isUndecided = ({ state, check_at }: CheckoutRow): boolean =>
  state === 'open' || check_at !== null;

/** Paid, but the provider has no subscription for it yet. */
export const isUnfinished = ({
  state,
  provider_subscription_id,
  check_at,
}: Pick<CheckoutRow, 'state' | 'provider_subscription_id' | 'check_at'>): boolean =>
  state === 'paid' && provider_subscription_id === null && check_at !== null;

export const findCheckout = (db: Db, reference: string): Promise<CheckoutRow | undefined> =>
  db.selectFrom('checkouts').selectAll().where('reference', '=', reference).executeTakeFirst();

export const MAX_CHECKOUTS = 50;

/** The newest checkouts of a user. */
export const listCheckoutsOf = (db: Db, userId: string): Promise<CheckoutRow[]> =>
  db
    .selectFrom('checkouts')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('reference', 'desc')
    .limit(MAX_CHECKOUTS)
    .execute();

const MAX_UNDECIDED_CHECKOUTS = 10;

/** Open, or paid without a subscription: oldest first, so that each gets its turn. */
export const listUndecidedCheckouts = (db: Db, userId: string): Promise<CheckoutRow[]> =>
  db
    .selectFrom('checkouts')
    .selectAll()
    .where('user_id', '=', userId)
    .where((where) => where.or([where('state', '=', 'open'), where('check_at', 'is not', null)]))
    .orderBy('created_at')
    .orderBy('reference')
    .limit(MAX_UNDECIDED_CHECKOUTS)
    .execute();

export async function findPaidThroughOf(db: Db, userId: string): Promise<number | null> {
  const row = await db
    .selectFrom('users')
    .select('paid_through')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.paid_through ?? null;
}

/** All users that share this customer at the provider; null stands for a deleted account. */
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
