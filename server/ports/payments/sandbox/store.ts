import type { Insertable, Selectable } from 'kysely';
import type { Db, DialectName, Tx } from '../../../db/connect.ts';
import type {
  SandboxSubscriptionsTable,
  SandboxChargesTable,
  SandboxCheckoutsTable,
} from '../../../db/sandbox-tables.ts';
import { newId } from '../../../ids.ts';

export type CheckoutRow = Selectable<SandboxCheckoutsTable>;
export type SubscriptionRow = Selectable<SandboxSubscriptionsTable>;
export type ChargeRow = Selectable<SandboxChargesTable>;

/** Returns the existing checkout if the reference is already used. */
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

/** By its id or by our reference. */
export const lockCheckout = (tx: Tx, dialect: DialectName, id: string) =>
  tx
    .selectFrom('sandbox_checkouts')
    .selectAll()
    .where(({ eb, or }) => or([eb('id', '=', id), eb('reference', '=', id)]))
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();

export const updateCheckout = (tx: Tx, id: string, change: Partial<CheckoutRow>) =>
  tx.updateTable('sandbox_checkouts').set(change).where('id', '=', id).execute();

export const insertSubscription = (tx: Tx, row: SubscriptionRow) =>
  tx.insertInto('sandbox_subscriptions').values(row).execute();

export const findSubscription = (db: Db, id: string) =>
  db.selectFrom('sandbox_subscriptions').selectAll().where('id', '=', id).executeTakeFirst();

export const lockSubscription = (tx: Tx, dialect: DialectName, id: string) =>
  tx
    .selectFrom('sandbox_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();

export const updateSubscription = (tx: Tx, id: string, change: Partial<SubscriptionRow>) =>
  tx.updateTable('sandbox_subscriptions').set(change).where('id', '=', id).execute();

export const listSubscriptionsOf = (db: Db, customerId: string) =>
  db
    .selectFrom('sandbox_subscriptions')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Subscriptions whose next payment or end is due. */
export const listDue = (db: Db, now: number) =>
  db
    .selectFrom('sandbox_subscriptions')
    .select('id')
    .where('status', '<>', 'ended')
    .where('next_charge_at', '<=', now)
    .orderBy('next_charge_at')
    .orderBy('id')
    .execute();

/** A charge that nothing has happened to yet. */
export const newCharge = {
  refunded: 0,
  is_disputed: 0,
  respond_by: null,
  is_lost: 0,
  owed_reference: null,
} as const;

/** Returns its id. A charge without a failure is paid. */
export async function insertCharge(
  tx: Tx,
  charge: Omit<ChargeRow, 'id' | 'status' | keyof typeof newCharge> &
    Partial<Pick<ChargeRow, keyof typeof newCharge>>,
): Promise<string> {
  const id = `chg_${newId(charge.at)}`;
  const status = charge.failure === null ? 'paid' : 'failed';
  await tx
    .insertInto('sandbox_charges')
    .values({ ...newCharge, ...charge, id, status })
    .execute();
  return id;
}

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

export const listChargesOf = (db: Db, providerSubscriptionId: string) =>
  db
    .selectFrom('sandbox_charges')
    .selectAll()
    .where('provider_subscription_id', '=', providerSubscriptionId)
    .orderBy('at')
    .orderBy('id')
    .execute();

export const findOwedCharge = (db: Db, reference: string) =>
  db
    .selectFrom('sandbox_charges')
    .select('id')
    .where('owed_reference', '=', reference)
    .executeTakeFirst();

/** Disputes that nobody answered in time. */
export const listUnanswered = (db: Db, now: number) =>
  db
    .selectFrom('sandbox_charges')
    .select('id')
    .where('is_disputed', '=', 1)
    .where('is_lost', '=', 0)
    .where('respond_by', '<=', now)
    .orderBy('respond_by')
    .orderBy('id')
    .execute();

/** Paid charges for one of our plans, oldest first. */
export const listPaidCharges = (db: Db, until: number) =>
  db
    .selectFrom('sandbox_charges')
    .selectAll()
    .where('status', '=', 'paid')
    .where('at', '<', until)
    .where(({ eb, or }) =>
      or([eb('reference', 'is not', null), eb('provider_subscription_id', 'is not', null)]),
    )
    .orderBy('at')
    .orderBy('id')
    .execute();

export const listRefunds = (db: Db, until: number) =>
  db.selectFrom('sandbox_refunds').select(['amount', 'at']).where('at', '<', until).execute();

/** False when this refund was already made. */
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
  row: { id: string; provider_subscription_id: string; return_url: string; created_at: number },
) => db.insertInto('sandbox_card_updates').values(row).execute();

export const findCardUpdate = (db: Db, id: string) =>
  db.selectFrom('sandbox_card_updates').selectAll().where('id', '=', id).executeTakeFirst();
