import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import type { Database, Db, DialectName, Tx } from '../../../db/connect.ts';
import type { SandboxCardsTable, SandboxPaymentsTable } from '../../../db/types/sandbox-tables.ts';
import type { Calendar } from '../payments.ts';

/** Work for later, enqueued in the transaction that makes it necessary. */
export type SandboxWork = {
  deliver: (tx: Tx, eventId: string, now: number) => Promise<unknown>;
  /** A page expires then, a bank decides, or the time to answer a dispute is over. */
  settleAt: (tx: Tx, paymentId: string, time: { at: number; now: number }) => Promise<unknown>;
};

export type SandboxParts = {
  database: Pick<Database, 'db' | 'dialect'>;
  clock: { now: () => number };
  site: { origin: string };
  calendar: Calendar;
  work: SandboxWork;
};

/** For tests that deliver by hand. Payments are settled when they are read. */
export const noWork: SandboxWork = {
  deliver: () => Promise.resolve(),
  settleAt: () => Promise.resolve(),
};

export const inTransaction = <T>(parts: SandboxParts, act: (tx: Tx) => Promise<T>): Promise<T> =>
  parts.database.db.transaction().execute(act);

export type PaymentRow = Selectable<SandboxPaymentsTable>;
export type CardRow = Selectable<SandboxCardsTable>;

/** A payment that nothing has happened to yet. */
const newPayment = {
  refunded: 0,
  refunds: '[]',
  state: 'open',
  method: null,
  card_id: null,
  charge_id: null,
  failure: null,
  is_hard: 0,
  respond_by: null,
  lost_at: null,
  due_at: null,
  changed_at: null,
} as const;

type NewPayment = Omit<Insertable<SandboxPaymentsTable>, keyof typeof newPayment> &
  Partial<PaymentRow>;

/** False if the reference is already used. */
export async function insertPayment(tx: Tx, row: NewPayment): Promise<boolean> {
  const inserted = await tx
    .insertInto('sandbox_payments')
    .values({ ...newPayment, ...row })
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** By its id, our reference or the id of its charge. */
const selectPayment = (db: Db, key: string) =>
  db
    .selectFrom('sandbox_payments')
    .selectAll()
    .where(({ eb, or }) =>
      or([eb('id', '=', key), eb('reference', '=', key), eb('charge_id', '=', key)]),
    );

export const findPayment = (db: Db, key: string) => selectPayment(db, key).executeTakeFirst();

export const lockPayment = (tx: Tx, dialect: DialectName, key: string) =>
  selectPayment(tx, key)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();

export const updatePayment = (tx: Tx, id: string, change: Partial<PaymentRow>) =>
  tx.updateTable('sandbox_payments').set(change).where('id', '=', id).execute();

/** What waits for a decision whose time has come. */
export const listDue = (db: Db, now: number) =>
  db
    .selectFrom('sandbox_payments')
    .select('id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .execute();

export const listChangedSince = (db: Db, since: number) =>
  db
    .selectFrom('sandbox_payments')
    .select('reference')
    .where('changed_at', '>=', since)
    .orderBy('changed_at')
    .orderBy('id')
    .execute();

/** Oldest first. */
export const listPaid = (db: Db, until: number) =>
  db
    .selectFrom('sandbox_payments')
    .selectAll()
    .where('state', '=', 'paid')
    .where('at', '<', until)
    .orderBy('at')
    .orderBy('id')
    .execute();

export const insertCard = (tx: Tx, row: CardRow) =>
  tx.insertInto('sandbox_cards').values(row).execute();

export const findCard = (db: Db, id: string) =>
  db.selectFrom('sandbox_cards').selectAll().where('id', '=', id).executeTakeFirst();

/** Two charges at once would both count as the first. */
export const lockCard = (tx: Tx, dialect: DialectName, id: string) =>
  tx
    .selectFrom('sandbox_cards')
    .selectAll()
    .where('id', '=', id)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();

export const updateCard = (db: Db, id: string, change: Partial<CardRow>) =>
  db.updateTable('sandbox_cards').set(change).where('id', '=', id).execute();

export const deleteCard = (db: Db, id: string) =>
  db.deleteFrom('sandbox_cards').where('id', '=', id).execute();

const Refunds = z.array(
  z.object({ key: z.string(), amount: z.int(), at: z.int(), isFailed: z.boolean() }),
);
type Refund = z.infer<typeof Refunds>[number];

/** Of a payment, oldest first, with those that the bank sent back. */
export const listRefunds = ({ refunds }: Pick<PaymentRow, 'refunds'>): Refund[] =>
  Refunds.parse(JSON.parse(refunds));

export const sumRefunds = (refunds: readonly Refund[]) => ({
  refunds: JSON.stringify(refunds),
  refunded: refunds.reduce((sum, { amount, isFailed }) => sum + (isFailed ? 0 : amount), 0),
});
