import type { z } from 'zod';
import { sql } from 'kysely';
import type { Invoice, InvoicePage } from '#contract/billing.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { CursorNumber, paginate } from '../../../http/paginate.ts';
import type { InvoiceRow, LedgerEntry } from '../queries.ts';
import { parseCard } from '../subscription/service.ts';
import type { InvoiceStatus } from '../../../db/billing-tables.ts';
import { newId } from '../../../ids.ts';
import type { Period } from '../ledger/paid-through.ts';

const DIGITS = 6;

export const formatInvoiceNumber = (number: number): string => String(number).padStart(DIGITS, '0');

const presentInvoice = (row: InvoiceRow): Invoice => ({
  id: row.id,
  number: formatInvoiceNumber(row.number),
  at: row.at,
  plan: row.plan,
  from: row.from_at,
  to: row.to_at,
  amount: row.amount,
  refunded: row.refunded,
  currency: CURRENCY,
  card: parseCard(row.card),
  status: row.status,
});

export const selectInvoicesOf = (db: Db, userId: string) =>
  db.selectFrom('invoices').selectAll().where('user_id', '=', userId);

export const findInvoice = (db: Db, userId: string, id: string): Promise<InvoiceRow | undefined> =>
  selectInvoicesOf(db, userId).where('id', '=', id).executeTakeFirst();

/** Newest first; numbers only count up. */
export async function listInvoicesOf(
  { database }: Deps,
  userId: string,
  page: PageQuery,
): Promise<Page<Invoice>> {
  const { rows, nextCursor } = await paginate(selectInvoicesOf(database.db, userId), page, {
    orderBy: [['number', CursorNumber]],
  });
  return { items: rows.map(presentInvoice), nextCursor };
}

export async function getInvoice(
  { database, config }: Deps,
  viewer: Viewer,
  id: string,
): Promise<z.output<typeof InvoicePage>> {
  const row = await findInvoice(database.db, viewer.user.id, id);
  if (!row) throw new AppError('not_found');
  const { username, email } = viewer.user;
  return { ...presentInvoice(row), seller: config.siteName, buyer: { username, email } };
}

const INVOICES = 'invoices';

/** Without gaps: a number is only used if its transaction commits. */
async function nextNumber(tx: Tx, name: string): Promise<number> {
  const row = await tx
    .insertInto('counters')
    .values({ name, value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql<number>`counters.value + 1` }),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value;
}

async function addInvoice(tx: Tx, charge: LedgerEntry, period: Period | undefined, now: number) {
  const { user_id, provider, charge_id, plan, amount, currency, at } = charge;
  if (!provider || !charge_id || !plan || !amount || !currency) return;
  const subscription = await tx
    .selectFrom('provider_subscriptions')
    .select('card')
    .where('provider', '=', provider)
    .where('provider_subscription_id', '=', charge.provider_subscription_id ?? '')
    .executeTakeFirst();
  await tx
    .insertInto('invoices')
    .values({
      id: newId(now),
      number: await nextNumber(tx, INVOICES),
      user_id,
      provider,
      charge_id,
      plan,
      at,
      from_at: period?.from ?? at,
      to_at: period?.to ?? at,
      amount,
      refunded: 0,
      currency,
      card: subscription?.card ?? null,
      status: 'paid',
    })
    .execute();
}

const findInvoiceOf = (tx: Tx, { provider, charge_id }: LedgerEntry) =>
  tx
    .selectFrom('invoices')
    .select(['id', 'amount', 'refunded'])
    .where('provider', '=', provider ?? '')
    .where('charge_id', '=', charge_id ?? '')
    .executeTakeFirst();

const toStatus = (amount: number, refunded: number): InvoiceStatus =>
  refunded >= amount ? 'refunded' : refunded > 0 ? 'partly-refunded' : 'paid';

async function updateInvoice(tx: Tx, entry: LedgerEntry) {
  const invoice = await findInvoiceOf(tx, entry);
  if (!invoice) return;
  const refunded = entry.kind === 'refund' ? (entry.amount ?? 0) : invoice.refunded;
  const status = entry.kind === 'dispute' ? 'disputed' : toStatus(invoice.amount, refunded);
  await tx.updateTable('invoices').set({ refunded, status }).where('id', '=', invoice.id).execute();
}

/** Creates an invoice for each payment, and marks those that were refunded or disputed. */
export async function updateInvoices(
  tx: Tx,
  entries: readonly LedgerEntry[],
  periods: readonly Period<LedgerEntry>[],
  now: number,
) {
  for (const entry of entries) {
    if (entry.kind === 'charge') {
      const period = periods.find((found) => found.entry.charge_id === entry.charge_id);
      await addInvoice(tx, entry, period, now);
    }
    if (entry.kind === 'refund' || entry.kind === 'dispute' || entry.kind === 'dispute-won')
      await updateInvoice(tx, entry);
  }
}
