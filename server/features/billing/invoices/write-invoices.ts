import { sql, type Selectable } from 'kysely';
import { toVatRate, vatIn } from '../../../vat.ts';
import { buildInvoice } from '../../../db/build-rows.ts';
import type { GiftsTable } from '../../../db/billing-tables.ts';
import type { CreditNoteReason, InvoiceStatus } from '../../../db/books-tables.ts';
import type { Tx } from '../../../db/connect.ts';
import { readSettings, type Settings } from '../../../db/settings.ts';
import { newId } from '../../../ids.ts';
import type { PaymentState } from '../../../ports/payments/payments.ts';
import type { Period } from '../ledger/paid-through.ts';
import { buildLedgerEntry } from '../ledger/build-entry.ts';
import type { InvoiceRow, LedgerEntry, PaymentRow } from '../queries.ts';
import { formatSeller } from './service.ts';

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

/** The card that paid: the member's own, unless it was paid in another way. */
async function findCard(
  tx: Tx,
  { user_id, subscription_id }: InvoicedCharge,
): Promise<string | null> {
  if (subscription_id === null) return null;
  const card = await tx
    .selectFrom('payment_methods')
    .select(['brand', 'last4', 'expiry_month', 'expiry_year'])
    .where('user_id', '=', user_id)
    .where('state', '=', 'active')
    .executeTakeFirst();
  if (!card || card.last4 === '') return null;
  const { brand, last4, expiry_month: expiryMonth, expiry_year: expiryYear } = card;
  return JSON.stringify({ brand, last4, expiryMonth, expiryYear });
}

const describe = ({ kind, plan, months }: InvoicedCharge): string => {
  if (plan !== null) return `Premium, ${plan}`;
  const time = `${months} ${months === 1 ? 'month' : 'months'}`;
  return kind === 'gift' ? `Premium as a gift, ${time}` : `Premium, ${time}`;
};

/** The VAT of an amount today; the rate is null if the seller charges none. */
function readVat({ isVatCharged, vatPercent }: Settings, amount: number) {
  if (!isVatCharged) return { vat_rate: null, vat: 0 };
  const rate = toVatRate(vatPercent);
  return { vat_rate: rate, vat: vatIn(amount, rate) };
}

/** Of a member, or a gift: its buyer may have no account. */
type InvoicedCharge = Omit<LedgerEntry, 'user_id'> & {
  user_id: string | null;
  buyerEmail?: string | null;
};

/** With seller, buyer and VAT as they are now, so that the document never changes. */
async function addInvoice(tx: Tx, charge: InvoicedCharge, period: Period | undefined, now: number) {
  const { user_id, provider, charge_id, plan, months, amount, currency, at, fee } = charge;
  if (!provider || !charge_id || !amount || !currency) return;
  const settings = await readSettings(tx, now);
  const buyer = await tx
    .selectFrom('users')
    .select(['username', 'email'])
    .where('id', '=', user_id ?? '')
    .executeTakeFirst();
  await tx
    .insertInto('invoices')
    .values(
      buildInvoice({
        id: newId(now),
        number: await nextNumber(tx, 'invoices'),
        user_id,
        provider,
        charge_id,
        plan,
        months,
        at,
        from_at: period?.from ?? at,
        to_at: period?.to ?? at,
        amount,
        currency,
        card: await findCard(tx, charge),
        seller: formatSeller(settings),
        buyer_name: buyer?.username ?? charge.buyerEmail ?? null,
        buyer_email: buyer?.email ?? charge.buyerEmail ?? null,
        description: describe(charge),
        ...readVat(settings, amount),
        fee,
      }),
    )
    .execute();
}

/** A gift that anybody may have bought. */
export const addGiftInvoice = (
  tx: Tx,
  { provider, months }: PaymentRow,
  { buyer_id, buyer_email }: Pick<Selectable<GiftsTable>, 'buyer_id' | 'buyer_email'>,
  { chargeId, amount, currency, fee, at }: PaymentState,
  now: number,
): Promise<void> =>
  addInvoice(
    tx,
    {
      ...buildLedgerEntry('gift', at, 'A gift.', { provider, charge_id: chargeId, months }),
      user_id: buyer_id,
      buyerEmail: buyer_email,
      amount,
      currency,
      fee,
      seq: 0,
      recorded_at: now,
    },
    undefined,
    now,
  );

/** What happened to a charge after it was paid. */
type Fate = { refunded: number; dispute: LedgerEntry['kind'] | null };

const DISPUTES: readonly LedgerEntry['kind'][] = ['dispute', 'dispute-won', 'dispute-lost'];
const isReturn = ({ kind }: LedgerEntry): boolean => kind === 'refund' || DISPUTES.includes(kind);

function readFate(ledger: readonly LedgerEntry[], { provider, charge_id }: LedgerEntry): Fate {
  const own = ledger.filter(
    (entry) => entry.charge_id === charge_id && entry.provider === provider,
  );
  return {
    // A refund entry holds the total, which decreases if a refund failed.
    refunded: own.findLast(({ kind }) => kind === 'refund')?.amount ?? 0,
    dispute: own.findLast(({ kind }) => DISPUTES.includes(kind))?.kind ?? null,
  };
}

/** All of it when the bank took it back; while a dispute is open, nothing is decided. */
const findReturned = (paid: number, { refunded, dispute }: Fate): number =>
  dispute === 'dispute-lost' ? paid : Math.min(paid, Math.max(0, refunded));

function toStatus({ amount }: InvoiceRow, { refunded, dispute }: Fate): InvoiceStatus {
  if (dispute === 'dispute') return 'disputed';
  if (dispute === 'dispute-lost') return 'charged-back';
  return refunded >= amount ? 'refunded' : refunded > 0 ? 'partly-refunded' : 'paid';
}

/** Money that went back, or came again, by a refund or by a bank's decision. */
type Return = {
  provider: string;
  chargeId: string;
  at: number;
  because: string;
  isOfBank: boolean;
  fate: Fate;
};

function toReason({ isOfBank }: Return, difference: number): CreditNoteReason {
  if (difference > 0) return isOfBank ? 'charge-back' : 'refund';
  return isOfBank ? 'charge-back-won' : 'refund-failed';
}

const findInvoiceOf = (tx: Tx, { provider, chargeId }: { provider: string; chargeId: string }) =>
  tx
    .selectFrom('invoices')
    .selectAll()
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .executeTakeFirst();

async function sumCredited(tx: Tx, invoiceId: string): Promise<{ amount: number; vat: number }> {
  const notes = await tx
    .selectFrom('credit_notes')
    .select(['amount', 'vat'])
    .where('invoice_id', '=', invoiceId)
    .execute();
  return notes.reduce(
    (sum, note) => ({ amount: sum.amount + note.amount, vat: sum.vat + note.vat }),
    { amount: 0, vat: 0 },
  );
}

const COUNTERS = { credit: 'credit-notes', debit: 'debit-notes' } as const;

/**
 * A credit note for what came back since the last one, or a debit note for what didn't after all. Its
 * VAT is the difference of two totals, so that the parts of a full refund add up to the invoice's.
 */
async function addCreditNote(tx: Tx, invoice: InvoiceRow, found: Return, now: number) {
  const { fate, at } = found;
  const { refunded } = fate;
  const status = toStatus(invoice, fate);
  await tx.updateTable('invoices').set({ refunded, status }).where('id', '=', invoice.id).execute();
  const credited = await sumCredited(tx, invoice.id);
  const returned = findReturned(invoice.amount, fate);
  const amount = returned - credited.amount;
  if (amount === 0) return;
  const kind = amount > 0 ? 'credit' : 'debit';
  const vat = invoice.vat_rate === null ? 0 : vatIn(returned, invoice.vat_rate) - credited.vat;
  await tx
    .insertInto('credit_notes')
    .values({
      id: newId(now),
      kind,
      number: await nextNumber(tx, COUNTERS[kind]),
      invoice_id: invoice.id,
      at,
      amount,
      vat,
      currency: invoice.currency,
      reason: toReason(found, amount),
    })
    .execute();
}

type RefusedPayment = {
  provider: string;
  chargeId: string;
  at: number;
  amount: number;
  currency: string;
  fee: number | null;
  because: string;
};

/** Money that came in, or with an amount below zero went out, without an invoice. */
const addRefusedPayment = (tx: Tx, { chargeId, ...row }: RefusedPayment, now: number) =>
  tx
    .insertInto('refused_payments')
    .values({ id: newId(now), charge_id: chargeId, ...row })
    .execute();

async function addRefusedCharge(tx: Tx, entry: LedgerEntry, now: number) {
  const { provider, charge_id: chargeId, amount, currency, at, fee, because } = entry;
  if (!provider || !chargeId || !amount || !currency) return;
  await addRefusedPayment(tx, { provider, chargeId, at, amount, currency, fee, because }, now);
}

const listRefusedRows = (tx: Tx, { provider, chargeId }: { provider: string; chargeId: string }) =>
  tx
    .selectFrom('refused_payments')
    .select(['amount', 'currency'])
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    // The payment itself comes first.
    .orderBy('at')
    .orderBy('amount', 'desc')
    .execute();

/** The part of a refused payment's refund that isn't in the books yet. */
async function addRefusedReturn(tx: Tx, found: Return, now: number) {
  const { provider, chargeId, at, because, fate } = found;
  const rows = await listRefusedRows(tx, found);
  const [first] = rows;
  if (!first) return;
  const balance = rows.reduce((sum, row) => sum + row.amount, 0);
  const amount = first.amount - findReturned(first.amount, fate) - balance;
  const { currency } = first;
  if (amount !== 0)
    await addRefusedPayment(
      tx,
      { provider, chargeId, at, amount, currency, fee: null, because },
      now,
    );
}

async function recordReturn(tx: Tx, found: Return, now: number) {
  const invoice = await findInvoiceOf(tx, found);
  if (invoice) await addCreditNote(tx, invoice, found, now);
  else await addRefusedReturn(tx, found, now);
}

/**
 * Books a payment of a deleted account, which has no ledger: a refund of an invoice from before, or
 * money that came and went without one. Booking the same again changes nothing.
 */
export async function recordDepartedCharge(
  tx: Tx,
  provider: string,
  charge: PaymentState,
  now: number,
  because = 'Paid after the account was deleted.',
): Promise<void> {
  const { chargeId, at, amount, currency, fee, refunded, dispute, status } = charge;
  if (status !== 'paid' || amount === 0 || chargeId === null) return;
  const isKnown =
    (await findInvoiceOf(tx, { provider, chargeId })) !== undefined ||
    (await listRefusedRows(tx, { provider, chargeId })).length > 0;
  if (!isKnown)
    await addRefusedPayment(tx, { provider, chargeId, at, amount, currency, fee, because }, now);
  const fate: Fate = {
    refunded,
    dispute: dispute ? (dispute.state === 'lost' ? 'dispute-lost' : 'dispute') : null,
  };
  const isOfBank = dispute?.state === 'lost';
  await recordReturn(tx, { provider, chargeId, at: now, because, isOfBank, fate }, now);
}

/** A fee that the provider told later than the payment. */
export type LateFee = { chargeId: string; fee: number };

export async function recordLateFees(tx: Tx, provider: string, fees: readonly LateFee[]) {
  for (const { chargeId, fee } of fees) {
    await tx
      .updateTable('invoices')
      .set({ fee })
      .where('provider', '=', provider)
      .where('charge_id', '=', chargeId)
      .where('fee', 'is', null)
      .execute();
    await tx
      .updateTable('refused_payments')
      .set({ fee })
      .where('provider', '=', provider)
      .where('charge_id', '=', chargeId)
      .where('amount', '>', 0)
      .where('fee', 'is', null)
      .execute();
  }
}

type NewEntries = {
  entries: readonly LedgerEntry[];
  /** Everything recorded, including the new entries. */
  ledger: readonly LedgerEntry[];
  periods: readonly Period<LedgerEntry>[];
};

/** Books what the new entries say: an invoice for each payment, a credit note for each return. */
export async function updateInvoices(
  tx: Tx,
  { entries, ledger, periods }: NewEntries,
  now: number,
): Promise<void> {
  for (const entry of entries) {
    if (entry.kind === 'charge-refused' || entry.kind === 'card-check')
      await addRefusedCharge(tx, entry, now);
    if (entry.kind !== 'charge') continue;
    const period = periods.find((found) => found.entry.charge_id === entry.charge_id);
    await addInvoice(tx, entry, period, now);
  }
  // Once per charge: the last entry has the total.
  const returns = new Map(
    entries.filter(isReturn).map((entry) => [`${entry.provider}/${entry.charge_id}`, entry]),
  );
  for (const entry of returns.values()) {
    const { provider, charge_id: chargeId, at, because, kind } = entry;
    if (!provider || !chargeId) continue;
    const fate = readFate(ledger, entry);
    const isOfBank = kind !== 'refund';
    await recordReturn(tx, { provider, chargeId, at, because, isOfBank, fate }, now);
  }
}
