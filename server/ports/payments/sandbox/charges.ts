import { notFound, refusal, type Charge, type Payout, type RefundRequest } from '../payments.ts';
import { showCard } from './cards.ts';
import { inTransaction, type SandboxParts } from './parts.ts';
import {
  claimRefund,
  listPaidCharges,
  listRefunds,
  lockCharge,
  updateCharge,
  type ChargeRow,
} from './store.ts';
import { recordEvent } from './webhooks.ts';

const FEE_SHARE = 0.029;
const FEE_CENTS = 100;
/** Silence for this long loses a dispute. */
const DISPUTE_DAYS = 2;
const WEEK_DAYS = 7;
/** From the first day that computers count, a Thursday, to a Monday. */
const MONDAY_DAYS = 4;

const calculateFee = (amount: number): number => Math.round(amount * FEE_SHARE) + FEE_CENTS;

export const presentCharge = (row: ChargeRow): Charge => ({
  id: row.id,
  reference: row.reference,
  customerId: row.customer_id,
  providerSubscriptionId: row.provider_subscription_id,
  plan: row.plan,
  status: row.status,
  amount: row.amount,
  refunded: row.refunded,
  currency: row.currency,
  fee: row.status === 'paid' ? calculateFee(row.amount) : null,
  dispute:
    row.is_disputed === 1
      ? { state: row.is_lost === 1 ? 'lost' : 'open', respondBy: row.respond_by }
      : null,
  at: row.at,
  card: showCard(row.card),
  failure: row.failure,
});

/** False for the payment that only checks a card. */
export const isOurCharge = (row: ChargeRow | undefined): boolean =>
  row !== undefined && (row.reference ?? row.provider_subscription_id) !== null;

const subjectOf = (row: ChargeRow) => ({
  chargeId: row.id,
  reference: row.reference,
  providerSubscriptionId: row.provider_subscription_id,
  customerId: row.customer_id,
  plan: row.plan,
});

const refuseUnknown = () => notFound('The sandbox doesn’t have this payment.');

export const refundCharge = (
  parts: SandboxParts,
  { chargeId, amount, key }: RefundRequest,
): Promise<void> =>
  inTransaction(parts, async (tx) => {
    const row = await lockCharge(tx, parts.database.dialect, chargeId);
    if (row?.status !== 'paid') throw refuseUnknown();
    const at = parts.clock.now();
    if (!(await claimRefund(tx, { key, charge_id: chargeId, amount, at }))) return;
    if (amount <= 0 || row.refunded + amount > row.amount)
      throw refusal('The refund is more than what is left of the payment.');
    await updateCharge(tx, chargeId, { refunded: row.refunded + amount });
    await recordEvent(parts, tx, 'charge.refunded', subjectOf(row));
  });

/** The customer's bank takes the payment back until it decides. */
export const openDispute = (parts: SandboxParts, chargeId: string): Promise<void> =>
  inTransaction(parts, async (tx) => {
    const row = await lockCharge(tx, parts.database.dialect, chargeId);
    if (row?.status !== 'paid') throw refuseUnknown();
    if (row.is_disputed === 1) return;
    const now = parts.clock.now();
    const at = parts.calendar.addDays(now, DISPUTE_DAYS);
    await updateCharge(tx, chargeId, { is_disputed: 1, is_lost: 0, respond_by: at });
    await recordEvent(parts, tx, 'charge.disputed', subjectOf(row));
    await parts.work.decideAt(tx, chargeId, { at, now });
  });

/** The bank decides. A lost dispute stays lost. */
export const endDispute = (
  parts: SandboxParts,
  chargeId: string,
  outcome: 'won' | 'lost',
): Promise<void> =>
  inTransaction(parts, async (tx) => {
    const row = await lockCharge(tx, parts.database.dialect, chargeId);
    if (row?.status !== 'paid') throw refuseUnknown();
    if (row.is_disputed === 0 || row.is_lost === 1) return;
    if (outcome === 'lost') {
      await updateCharge(tx, chargeId, { is_lost: 1 });
      return recordEvent(parts, tx, 'charge.dispute-lost', subjectOf(row));
    }
    await updateCharge(tx, chargeId, { is_disputed: 0, respond_by: null });
    return recordEvent(parts, tx, 'charge.dispute-ended', subjectOf(row));
  });

/** Lost by silence: nobody can answer in the sandbox. */
export async function loseUnanswered(parts: SandboxParts, chargeId: string): Promise<void> {
  const { db } = parts.database;
  const row = await db
    .selectFrom('sandbox_charges')
    .select('respond_by')
    .where('id', '=', chargeId)
    .executeTakeFirst();
  const respondBy = row?.respond_by ?? Infinity;
  if (respondBy <= parts.clock.now()) await endDispute(parts, chargeId, 'lost');
}

/** What each week brought, paid out after it: less fees, refunds and lost disputes, never negative. */
export async function listPayouts(
  { database, clock, calendar }: SandboxParts,
  { from, to }: { from: number; to: number },
): Promise<Payout[]> {
  const [week, offset] = [calendar.addDays(0, WEEK_DAYS), calendar.addDays(0, MONDAY_DAYS)];
  const payDay = (at: number) => (Math.floor((at - offset) / week) + 1) * week + offset;
  const until = Math.min(to, clock.now() + 1);
  const charges = await listPaidCharges(database.db, until);
  const weeks = new Map<number, { amount: number; fees: number }>();
  const add = (at: number, amount: number, fees = 0) => {
    const sum = weeks.get(payDay(at)) ?? { amount: 0, fees: 0 };
    weeks.set(payDay(at), { amount: sum.amount + amount, fees: sum.fees + fees });
  };
  for (const { at, amount, refunded, is_lost, respond_by } of charges) {
    const fee = calculateFee(amount);
    add(at, amount - fee, fee);
    if (is_lost === 1) add(respond_by ?? at, refunded - amount);
  }
  for (const { at, amount } of await listRefunds(database.db, until)) add(at, -amount);
  const currency = charges[0]?.currency ?? 'ZAR';
  let due = { amount: 0, fees: 0 };
  const payouts: Payout[] = [];
  for (const [at, sum] of [...weeks].toSorted(([a], [b]) => a - b)) {
    if (at >= until) break;
    due = { amount: due.amount + sum.amount, fees: due.fees + sum.fees };
    if (due.amount <= 0) continue;
    payouts.push({ id: `pay_${at}`, at, ...due, currency });
    due = { amount: 0, fees: 0 };
  }
  return payouts.filter((payout) => payout.at >= from);
}
