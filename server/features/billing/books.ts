import { sql } from 'kysely';
import type { InvoiceStatus } from '../../db/billing-tables.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../ids.ts';
import type { Period } from './paid-through.ts';
import type { LedgerRow } from './queries.ts';

const INVOICES = 'invoices';

/** Counts without a gap: when the transaction does not happen, neither did the number. */
export async function countUp(tx: Tx, name: string): Promise<number> {
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

async function addInvoice(tx: Tx, charge: LedgerRow, period: Period | undefined, now: number) {
  const { user_id, provider, charge_id, plan, amount, currency, at } = charge;
  if (!provider || !charge_id || !plan || !amount || !currency) return;
  const agreement = await tx
    .selectFrom('agreements')
    .select('card')
    .where('provider', '=', provider)
    .where('agreement_id', '=', charge.agreement_id ?? '')
    .executeTakeFirst();
  await tx
    .insertInto('invoices')
    .values({
      id: newId(now),
      number: await countUp(tx, INVOICES),
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
      card: agreement?.card ?? null,
      status: 'paid',
    })
    .execute();
}

const findInvoiceOf = (tx: Tx, { provider, charge_id }: LedgerRow) =>
  tx
    .selectFrom('invoices')
    .select(['id', 'amount', 'refunded'])
    .where('provider', '=', provider ?? '')
    .where('charge_id', '=', charge_id ?? '')
    .executeTakeFirst();

const statusAfter = (amount: number, refunded: number): InvoiceStatus =>
  refunded >= amount ? 'refunded' : refunded > 0 ? 'partly-refunded' : 'paid';

async function changeInvoice(tx: Tx, event: LedgerRow) {
  const invoice = await findInvoiceOf(tx, event);
  if (!invoice) return;
  const refunded = event.kind === 'refund' ? (event.amount ?? 0) : invoice.refunded;
  const status = event.kind === 'dispute' ? 'disputed' : statusAfter(invoice.amount, refunded);
  await tx.updateTable('invoices').set({ refunded, status }).where('id', '=', invoice.id).execute();
}

/** An invoice for every payment that counts, and what became of its money. */
export async function writeBooks(
  tx: Tx,
  events: readonly LedgerRow[],
  periods: readonly Period<LedgerRow>[],
  now: number,
) {
  for (const event of events) {
    if (event.kind === 'charge') {
      const period = periods.find(({ fact }) => fact.charge_id === event.charge_id);
      await addInvoice(tx, event, period, now);
    }
    if (event.kind === 'refund' || event.kind === 'dispute' || event.kind === 'dispute-won')
      await changeInvoice(tx, event);
  }
}
