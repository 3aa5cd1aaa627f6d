import { sql } from 'kysely';
import type {
  LedgerEntriesTable,
  PaymentsTable,
  SubscriptionsTable,
} from '../../db/types/billing-tables.ts';
import type { CreditNotesTable, InvoicesTable } from '../../db/types/books-tables.ts';
import type { Db, Tx } from '../../db/connect.ts';

export type LedgerEntry = LedgerEntriesTable;
export type SubscriptionRow = SubscriptionsTable;
export type PaymentRow = PaymentsTable;
export type InvoiceRow = InvoicesTable;
export type CreditNoteRow = CreditNotesTable;

/** Whether it will charge again unless someone cancels it. */
export const isRenewing = ({ status }: Pick<SubscriptionRow, 'status'>): boolean =>
  status !== 'ending' && status !== 'ended';

/** A payment is owed. */
export const isOwing = ({ status }: Pick<SubscriptionRow, 'status'>): boolean =>
  status === 'late' || status === 'needs_member';

const nextVersion = sql<number>`billing_accounts.version + 1`;

/** Locks an account that was locked before. False if it never was, or was deleted meanwhile. */
export async function lockKnownAccount(tx: Tx, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('billing_accounts')
    .set({ version: nextVersion })
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Until the end of the transaction no one else writes to this user's billing data. Of an account that
 * was deleted meanwhile there is nothing to lock, so read again whose something is.
 */
export async function lockAccount(tx: Tx, userId: string): Promise<void> {
  if (await lockKnownAccount(tx, userId)) return;
  await tx
    .insertInto('billing_accounts')
    .columns(['user_id', 'version'])
    .expression((build) =>
      build
        .selectFrom('users')
        .select(['id', sql.lit(1).as('version')])
        .where('id', '=', userId),
    )
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ version: nextVersion }))
    .execute();
}

/** All entries of a user: a few for each month. */
export const listLedgerEntries = (db: Db, userId: string): Promise<LedgerEntry[]> =>
  db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('seq')
    .execute();

export const findSubscription = (db: Db, id: string): Promise<SubscriptionRow | undefined> =>
  db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst();

/** The one that hasn't ended. */
export const findRunningSubscription = async (
  db: Db,
  userId: string,
): Promise<SubscriptionRow | null> =>
  (await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', '<>', 'ended')
    .executeTakeFirst()) ?? null;

/** Oldest first. */
export const listSubscriptionsOf = (db: Db, userId: string): Promise<SubscriptionRow[]> =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('started_at')
    .orderBy('id')
    .execute();

export const findPayment = (db: Db, reference: string): Promise<PaymentRow | undefined> =>
  db.selectFrom('payments').selectAll().where('reference', '=', reference).executeTakeFirst();

export const findPaymentOfCharge = (
  db: Db,
  provider: string,
  chargeId: string,
): Promise<PaymentRow | undefined> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .executeTakeFirst();

/** The outcome isn't known yet. */
export const isUndecided = ({ state }: Pick<PaymentRow, 'state'>): boolean =>
  state === 'open' || state === 'asked' || state === 'pending';

const MAX_PAYMENTS = 50;

/** The newest payments of a user. */
export const listPaymentsOf = (db: Db, userId: string): Promise<PaymentRow[]> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('reference', 'desc')
    .limit(MAX_PAYMENTS)
    .execute();

const MAX_UNDECIDED = 10;

/** Oldest first, so that each gets its turn. */
export const listUndecidedPayments = (db: Db, userId: string): Promise<PaymentRow[]> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', 'in', ['open', 'asked', 'pending'])
    .orderBy('created_at')
    .orderBy('reference')
    .limit(MAX_UNDECIDED)
    .execute();

/** Payments of what a subscription owes whose outcome isn't known. */
export const listOpenPayments = (db: Db, subscriptionId: string): Promise<PaymentRow[]> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('kind', '=', 'renewal')
    .where('state', 'in', ['open', 'asked', 'pending'])
    .orderBy('created_at')
    .execute();

export async function findPaidThroughOf(db: Db, userId: string): Promise<number | null> {
  const row = await db
    .selectFrom('users')
    .select('paid_through')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.paid_through ?? null;
}
