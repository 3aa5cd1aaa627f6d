import type { Insertable, Selectable } from 'kysely';
import type { Db, DialectName, Tx } from '../../../db/connect.ts';
import type {
  SandboxAgreementsTable,
  SandboxChargesTable,
  SandboxCheckoutsTable,
} from '../../../db/sandbox-tables.ts';

export type CheckoutRow = Selectable<SandboxCheckoutsTable>;
export type AgreementRow = Selectable<SandboxAgreementsTable>;
export type ChargeRow = Selectable<SandboxChargesTable>;

/** Answers the checkout that the reference has, whoever made it first. */
export async function insertCheckout(db: Db, row: Insertable<SandboxCheckoutsTable>) {
  await db
    .insertInto('sandbox_checkouts')
    .values(row)
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .execute();
  return findCheckoutByReference(db, row.reference);
}

export const findCheckoutByReference = (db: Db, reference: string) =>
  db
    .selectFrom('sandbox_checkouts')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst();

export const findCheckout = (db: Db, id: string) =>
  db.selectFrom('sandbox_checkouts').selectAll().where('id', '=', id).executeTakeFirst();

export const lockCheckout = (tx: Tx, dialect: DialectName, id: string) =>
  tx
    .selectFrom('sandbox_checkouts')
    .selectAll()
    .where('id', '=', id)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();

export const updateCheckout = (tx: Tx, id: string, change: Partial<CheckoutRow>) =>
  tx.updateTable('sandbox_checkouts').set(change).where('id', '=', id).execute();

export const insertAgreement = (tx: Tx, row: AgreementRow) =>
  tx.insertInto('sandbox_agreements').values(row).execute();

export const findAgreement = (db: Db, id: string) =>
  db.selectFrom('sandbox_agreements').selectAll().where('id', '=', id).executeTakeFirst();

export const lockAgreement = (tx: Tx, dialect: DialectName, id: string) =>
  tx
    .selectFrom('sandbox_agreements')
    .selectAll()
    .where('id', '=', id)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();

export const updateAgreement = (tx: Tx, id: string, change: Partial<AgreementRow>) =>
  tx.updateTable('sandbox_agreements').set(change).where('id', '=', id).execute();

export const listAgreementsOf = (db: Db, customerId: string) =>
  db
    .selectFrom('sandbox_agreements')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Those whose next payment or end has come. */
export const listDue = (db: Db, now: number) =>
  db
    .selectFrom('sandbox_agreements')
    .select('id')
    .where('status', '<>', 'ended')
    .where('next_charge_at', '<=', now)
    .orderBy('next_charge_at')
    .orderBy('id')
    .execute();

export const insertCharge = (tx: Tx, row: ChargeRow) =>
  tx.insertInto('sandbox_charges').values(row).execute();

export const findCharge = (db: Db, id: string) =>
  db.selectFrom('sandbox_charges').selectAll().where('id', '=', id).executeTakeFirst();

export const lockCharge = (tx: Tx, dialect: DialectName, id: string) =>
  tx
    .selectFrom('sandbox_charges')
    .selectAll()
    .where('id', '=', id)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();

export const updateCharge = (tx: Tx, id: string, change: Partial<ChargeRow>) =>
  tx.updateTable('sandbox_charges').set(change).where('id', '=', id).execute();

export const listChargesOf = (db: Db, agreementId: string) =>
  db
    .selectFrom('sandbox_charges')
    .selectAll()
    .where('agreement_id', '=', agreementId)
    .orderBy('at')
    .orderBy('id')
    .execute();

/** False when this refund was made before. */
export async function claimRefund(
  tx: Tx,
  refund: { key: string; charge_id: string; amount: number; at: number },
): Promise<boolean> {
  const row = await tx
    .insertInto('sandbox_refunds')
    .values(refund)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

export const insertCardUpdate = (
  db: Db,
  row: { id: string; agreement_id: string; return_url: string; created_at: number },
) => db.insertInto('sandbox_card_updates').values(row).execute();

export const findCardUpdate = (db: Db, id: string) =>
  db.selectFrom('sandbox_card_updates').selectAll().where('id', '=', id).executeTakeFirst();
