import type { Payout } from '../payments.ts';
import { isBankName } from './bank-payments.ts';
import type { SandboxParts } from './parts.ts';
import { listPaid, listRefunds, type PaymentRow } from './store.ts';

const CARD_SHARE = 0.029;
const CARD_CENTS = 100;
/** Below this only the share is taken. */
const SMALL_CENTS = 1000;
const BANK_SHARE = 0.02;
const WEEK_DAYS = 7;
/** From the first day that computers count, a Thursday, to a Monday. */
const MONDAY_DAYS = 4;

export function calculateFee({ amount, method }: Pick<PaymentRow, 'amount' | 'method'>): number {
  if (isBankName(method)) return Math.round(amount * BANK_SHARE);
  return Math.round(amount * CARD_SHARE) + (amount < SMALL_CENTS ? 0 : CARD_CENTS);
}

/** What each week brought, paid out after it: less fees, refunds and lost disputes, never negative. */
export async function listPayouts(
  { database, clock, calendar }: SandboxParts,
  { from, to }: { from: number; to: number },
): Promise<Payout[]> {
  const [week, offset] = [calendar.addDays(0, WEEK_DAYS), calendar.addDays(0, MONDAY_DAYS)];
  const payDay = (at: number) => (Math.floor((at - offset) / week) + 1) * week + offset;
  const until = Math.min(to, clock.now() + 1);
  const paid = await listPaid(database.db, until);
  const weeks = new Map<number, { amount: number; fees: number }>();
  const add = (at: number, amount: number, fees = 0) => {
    const sum = weeks.get(payDay(at)) ?? { amount: 0, fees: 0 };
    weeks.set(payDay(at), { amount: sum.amount + amount, fees: sum.fees + fees });
  };
  for (const row of paid) {
    const fee = calculateFee(row);
    add(row.at, row.amount - fee, fee);
    if (row.lost_at !== null) add(row.lost_at, row.refunded - row.amount);
  }
  for (const { at, amount } of await listRefunds(database.db, until)) add(at, -amount);
  const currency = paid[0]?.currency ?? 'ZAR';
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
