import type { Db } from '../../db/connect.ts';
import type {
  AgreementsTable,
  CheckoutsTable,
  InvoicesTable,
  LedgerTable,
} from '../../db/billing-tables.ts';

export type LedgerRow = LedgerTable;
export type AgreementRow = AgreementsTable;
export type CheckoutRow = CheckoutsTable;
export type InvoiceRow = InvoicesTable;

/** A member has a few rows for each month; all of them together are the answer. */
export const listLedger = (db: Db, userId: string): Promise<LedgerRow[]> =>
  db.selectFrom('ledger').selectAll().where('user_id', '=', userId).orderBy('seq').execute();

export const listAgreementsOf = (db: Db, userId: string): Promise<AgreementRow[]> =>
  db
    .selectFrom('agreements')
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
  { below, limit }: { below: number | null; limit: number },
): Promise<InvoiceRow[]> =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(below !== null, (query) => query.where('number', '<', below ?? 0))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();

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

/** Of these agreements those that are known to be another's, or of somebody who has left. */
export async function listForeignAgreements(
  db: Db,
  provider: string,
  agreementIds: readonly string[],
  userId: string,
): Promise<string[]> {
  if (agreementIds.length === 0) return [];
  const rows = await db
    .selectFrom('agreements')
    .select(['agreement_id', 'user_id'])
    .where('provider', '=', provider)
    .where('agreement_id', 'in', agreementIds)
    .execute();
  return rows.filter((row) => row.user_id !== userId).map((row) => row.agreement_id);
}

/** Everybody here whom the provider knows as this customer; null stands for who has left. */
export async function listUsersOfCustomer(
  db: Db,
  provider: string,
  customerId: string,
): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('agreements')
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

/** The member that an agreement is known to belong to; undefined when nobody here knows it. */
export const findAgreement = (
  db: Db,
  provider: string,
  agreementId: string,
): Promise<AgreementRow | undefined> =>
  db
    .selectFrom('agreements')
    .selectAll()
    .where('provider', '=', provider)
    .where('agreement_id', '=', agreementId)
    .executeTakeFirst();

/** Whose payment it is that a provider names by nothing else. */
export const findChargeOwner = (
  db: Db,
  provider: string,
  chargeId: string,
): Promise<{ user_id: string | null } | undefined> =>
  db
    .selectFrom('ledger')
    .select('user_id')
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .executeTakeFirst();
