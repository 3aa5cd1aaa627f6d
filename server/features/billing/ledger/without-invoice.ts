import type { Tx } from '../../../db/connect.ts';
import type { RefusedPaymentKind } from '../../../db/types/books-tables.ts';
import { newId } from '../../../db/ids.ts';
import type { PaymentState } from '../../../ports/payments/payments.ts';
import type { LedgerEntry } from '../queries.ts';
import { findBookingDay, openBooks, type BookingContext, type Books } from './booking.ts';

/** What happened to a charge after it was paid. */
export type Fate = { refunded: number; dispute: LedgerEntry['kind'] | null };

/** Money that went back, or came again, by a refund or by a bank's decision. */
export type Return = {
  provider: string;
  chargeId: string;
  at: number;
  reason: string;
  isOfBank: boolean;
  fate: Fate;
};

/** All of it when the bank took it back; while a dispute is open, nothing is decided. */
export const findReturned = (paid: number, { refunded, dispute }: Fate): number =>
  dispute === 'dispute-lost' ? paid : Math.min(paid, Math.max(0, refunded));

type RefusedPayment = {
  kind: RefusedPaymentKind;
  provider: string;
  chargeId: string;
  at: number;
  amount: number;
  currency: string;
  fee: number | null;
  reason: string;
};

/** Money that came in, or with an amount below zero went out, without an invoice. */
export const addRefusedPayment = (tx: Tx, { chargeId, ...row }: RefusedPayment, books: Books) =>
  tx
    .insertInto('refused_payments')
    .values({
      id: newId(books.now),
      charge_id: chargeId,
      booked_on: findBookingDay(books, row.at),
      ...row,
    })
    .execute();

export async function addRefusedCharge(tx: Tx, entry: LedgerEntry, books: Books) {
  const { provider, charge_id: chargeId, amount, currency, at, fee, reason } = entry;
  if (!provider || !chargeId || !amount || !currency) return;
  const payment = { provider, chargeId, at, amount, currency, fee, reason };
  const kind = entry.kind === 'card-check' ? 'card-check' : 'payment';
  await addRefusedPayment(tx, { kind, ...payment }, books);
}

type ChargeId = { provider: string; chargeId: string };

export const listRefusedRows = (tx: Tx, { provider, chargeId }: ChargeId) =>
  tx
    .selectFrom('refused_payments')
    .select(['kind', 'amount', 'currency', 'fee', 'at', 'booked_on'])
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .where('kind', '<>', 'fee')
    // The payment itself comes first.
    .orderBy('at')
    .orderBy('amount', 'desc')
    .execute();

/** The part of a refused payment's refund that isn't in the books yet. */
export async function addRefusedReturn(tx: Tx, found: Return, books: Books) {
  const { provider, chargeId, at, reason, fate } = found;
  const rows = await listRefusedRows(tx, found);
  const [first] = rows;
  if (!first) return;
  const balance = rows.reduce((sum, row) => sum + row.amount, 0);
  const amount = first.amount - findReturned(first.amount, fate) - balance;
  const { kind, currency } = first;
  if (amount === 0) return;
  const returned = { kind, provider, chargeId, at, amount, currency, fee: null, reason };
  await addRefusedPayment(tx, returned, books);
}

/** A fee that the provider told later than the payment. */
type LateFee = ChargeId & { fee: number };

const findDocument = async (tx: Tx, { provider, chargeId }: ChargeId) =>
  (await tx
    .selectFrom('invoices')
    .select(['fee', 'at', 'currency', 'booked_on'])
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .executeTakeFirst()) ??
  (await listRefusedRows(tx, { provider, chargeId })).find(({ amount }) => amount > 0);

/** After its month was closed, the fee is money of the first open one. */
async function addFeeOfClosedMonth(
  tx: Tx,
  { provider, chargeId, fee }: LateFee,
  document: { at: number; currency: string },
  firstOpenDay: string,
) {
  const known = await tx
    .selectFrom('refused_payments')
    .select('id')
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .where('kind', '=', 'fee')
    .executeTakeFirst();
  if (known) return;
  const { at, currency } = document;
  await tx
    .insertInto('refused_payments')
    .values({
      id: newId(at),
      kind: 'fee',
      provider,
      charge_id: chargeId,
      at,
      booked_on: firstOpenDay,
      amount: 0,
      currency,
      fee,
      reason: 'The fee was told after the month was closed.',
    })
    .execute();
}

async function addLateFee(tx: Tx, late: LateFee, firstOpenDay: string) {
  const { provider, chargeId, fee } = late;
  const document = await findDocument(tx, late);
  if (!document || document.fee !== null) return;
  if (document.booked_on < firstOpenDay)
    return addFeeOfClosedMonth(tx, late, document, firstOpenDay);
  await tx
    .updateTable('invoices')
    .set({ fee })
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .execute();
  await tx
    .updateTable('refused_payments')
    .set({ fee })
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .where('amount', '>', 0)
    .execute();
}

/** Nothing to do until the provider says what it kept. */
export async function recordLateFee(
  tx: Tx,
  provider: string,
  { chargeId, fee }: Pick<PaymentState, 'chargeId' | 'fee'>,
  context: BookingContext,
): Promise<void> {
  if (chargeId === null || fee === null) return;
  const { firstOpenDay } = await openBooks(tx, context);
  await addLateFee(tx, { provider, chargeId, fee }, firstOpenDay);
}
