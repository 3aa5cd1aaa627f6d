import type { Selectable } from 'kysely';
import { dayOf } from '#contract/rules/days.ts';
import { describeMonths } from '#contract/rules/plans.ts';
import { buildInvoice } from '../../../db/build-rows.ts';
import type { Tx } from '../../../db/connect.ts';
import { readSettings, type Settings } from '../../../db/settings.ts';
import type { CreditNoteReason, InvoiceStatus } from '../../../db/types/books-tables.ts';
import type { GiftsTable } from '../../../db/types/offer-tables.ts';
import { newId } from '../../../db/ids.ts';
import type { PaymentState } from '../../../ports/payments/payments.ts';
import { findVatRate, vatIn } from '#contract/rules/vat.ts';
import type { InvoiceRow, LedgerEntry, PaymentRow } from '../queries.ts';
import { presentCard } from '../subscriptions/cards.ts';
import {
  findBookingDay,
  issueNumber,
  openBooks,
  type BookingContext,
  type Books,
} from './booking.ts';
import { findBuyer, formatSeller } from './invoices.ts';
import type { Period } from './paid-through.ts';
import {
  addRefusedCharge,
  addRefusedPayment,
  addRefusedReturn,
  findReturned,
  listRefusedRows,
  type Fate,
  type Return,
} from './without-invoice.ts';

/** The card that paid: the member's own, unless it was paid in another way. */
async function findCard(
  tx: Tx,
  { user_id, subscription_id }: InvoicedCharge,
): Promise<string | null> {
  if (subscription_id === null) return null;
  const method = await tx
    .selectFrom('payment_methods')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('state', '=', 'active')
    .executeTakeFirst();
  const card = presentCard(method ?? null);
  return card && JSON.stringify(card);
}

const describe = ({ kind, plan, months }: InvoicedCharge): string =>
  `Premium${kind === 'gift' ? ' as a gift' : ''}, ${plan ?? describeMonths(months ?? 1)}`;

/** The VAT of an amount on a day; the rate is null if the seller charged none. */
function readVat({ isVatCharged, vatRates }: Settings, amount: number, day: string) {
  const rate = isVatCharged ? findVatRate(vatRates, day) : null;
  return { vat_rate: rate, vat: rate === null ? 0 : vatIn(amount, rate) };
}

/** Of a member, or a gift: its buyer may have no account. */
type InvoicedCharge = Pick<
  LedgerEntry,
  'kind' | 'at' | 'provider' | 'charge_id' | 'plan' | 'months' | 'amount' | 'currency' | 'fee'
> & { user_id: string | null; subscription_id: string | null; buyerEmail?: string | null };

/** With the seller and buyer as they are now, and the VAT of the payment's day. */
async function addInvoice(
  tx: Tx,
  charge: InvoicedCharge,
  period: Period | undefined,
  books: Books,
) {
  const { user_id, provider, charge_id, plan, months, amount, currency, at, fee } = charge;
  if (!provider || !charge_id || !amount || !currency) return;
  const { now, timeZone } = books;
  const settings = await readSettings(tx, now);
  const member = await tx
    .selectFrom('users')
    .select(['username', 'email'])
    .where('id', '=', user_id ?? '')
    .executeTakeFirst();
  const buyer = user_id === null ? null : await findBuyer(tx, user_id);
  await tx
    .insertInto('invoices')
    .values(
      buildInvoice({
        id: newId(now),
        ...(await issueNumber(tx, 'invoices', books)),
        user_id,
        provider,
        charge_id,
        plan,
        months,
        at,
        booked_on: findBookingDay(books, at),
        from_at: period?.from ?? at,
        to_at: period?.to ?? at,
        amount,
        currency,
        card: await findCard(tx, charge),
        seller: formatSeller(settings),
        buyer_name: buyer?.name ?? member?.username ?? charge.buyerEmail ?? null,
        buyer_email: member?.email ?? charge.buyerEmail ?? null,
        buyer_address: buyer?.address ?? null,
        buyer_vat_number: buyer?.vatNumber || null,
        description: describe(charge),
        ...readVat(settings, amount, dayOf(at, timeZone)),
        fee,
      }),
    )
    .execute();
}

/** A gift that anybody may have bought. */
export const addGiftInvoice = async (
  tx: Tx,
  { provider, months }: PaymentRow,
  { buyer_id, buyer_email }: Pick<Selectable<GiftsTable>, 'buyer_id' | 'buyer_email'>,
  { chargeId: charge_id, amount, currency, fee, at }: PaymentState,
  context: BookingContext,
): Promise<void> => {
  const charge = { kind: 'gift' as const, provider, charge_id, months, amount, currency, fee, at };
  const buyer = { user_id: buyer_id, buyerEmail: buyer_email };
  const gift = { ...charge, ...buyer, plan: null, subscription_id: null };
  await addInvoice(tx, gift, undefined, await openBooks(tx, context));
};

const DISPUTES: readonly LedgerEntry['kind'][] = ['dispute', 'dispute-won', 'dispute-lost'];
const isReturn = ({ kind }: LedgerEntry): boolean => kind === 'refund' || DISPUTES.includes(kind);

const BOOKED: readonly LedgerEntry['kind'][] = ['charge', 'charge-refused', 'card-check'];
const isBooked = (entry: LedgerEntry): boolean => BOOKED.includes(entry.kind) || isReturn(entry);

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

function toStatus({ amount }: InvoiceRow, { refunded, dispute }: Fate): InvoiceStatus {
  if (dispute === 'dispute') return 'disputed';
  if (dispute === 'dispute-lost') return 'charged-back';
  return refunded >= amount ? 'refunded' : refunded > 0 ? 'partly-refunded' : 'paid';
}

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

const SERIES = { credit: 'credit-notes', debit: 'debit-notes' } as const;

/**
 * A credit note for what came back since the last one, or a debit note for what didn't after all. Its
 * VAT is the difference of two totals, so that the parts of a full refund add up to the invoice's.
 */
async function addCreditNote(tx: Tx, invoice: InvoiceRow, found: Return, books: Books) {
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
      id: newId(books.now),
      kind,
      ...(await issueNumber(tx, SERIES[kind], books)),
      invoice_id: invoice.id,
      at,
      booked_on: findBookingDay(books, at),
      amount,
      vat,
      currency: invoice.currency,
      reason: toReason(found, amount),
    })
    .execute();
}

async function recordReturn(tx: Tx, found: Return, books: Books) {
  const invoice = await findInvoiceOf(tx, found);
  if (invoice) await addCreditNote(tx, invoice, found, books);
  else await addRefusedReturn(tx, found, books);
}

/**
 * Books a payment of a deleted account, which has no ledger: a refund of an invoice from before, or
 * money that came and went without one. Booking the same again changes nothing.
 */
export async function recordChargeWithoutLedger(
  tx: Tx,
  provider: string,
  charge: PaymentState,
  context: BookingContext,
  reason: string,
): Promise<void> {
  const { chargeId, at, amount, currency, fee, refunded, dispute, status } = charge;
  if (status !== 'paid' || amount === 0 || chargeId === null) return;
  const books = await openBooks(tx, context);
  const isKnown =
    (await findInvoiceOf(tx, { provider, chargeId })) !== undefined ||
    (await listRefusedRows(tx, { provider, chargeId })).length > 0;
  if (!isKnown)
    await addRefusedPayment(
      tx,
      { kind: 'payment', provider, chargeId, at, amount, currency, fee, reason },
      books,
    );
  const fate: Fate = {
    refunded,
    dispute: dispute ? (dispute.state === 'lost' ? 'dispute-lost' : 'dispute') : null,
  };
  const isOfBank = dispute?.state === 'lost';
  await recordReturn(tx, { provider, chargeId, at: books.now, reason, isOfBank, fate }, books);
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
  context: BookingContext,
): Promise<void> {
  if (!entries.some(isBooked)) return;
  const books = await openBooks(tx, context);
  for (const entry of entries) {
    if (entry.kind === 'charge-refused' || entry.kind === 'card-check')
      await addRefusedCharge(tx, entry, books);
    if (entry.kind !== 'charge') continue;
    const period = periods.find((found) => found.entry.charge_id === entry.charge_id);
    await addInvoice(tx, entry, period, books);
  }
  // Once per charge: the last entry has the total.
  const returns = new Map(
    entries.filter(isReturn).map((entry) => [`${entry.provider}/${entry.charge_id}`, entry]),
  );
  for (const entry of returns.values()) {
    const { provider, charge_id: chargeId, at, reason, kind } = entry;
    if (!provider || !chargeId) continue;
    const fate = readFate(ledger, entry);
    const isOfBank = kind !== 'refund';
    await recordReturn(tx, { provider, chargeId, at, reason, isOfBank, fate }, books);
  }
}
