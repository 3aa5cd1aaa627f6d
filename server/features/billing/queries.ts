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

const MOST_CHECKOUTS = 50;

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
