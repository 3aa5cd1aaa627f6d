import type { Plan } from '#contract/rules/plans.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import type { PriceChangeRow, PriceNotice } from './queries.ts';

const MONTHS: Record<Plan, number> = { monthly: 1, annual: 12 };

/** A price that isn't higher needs no notice, and what was announced needs it only once. */
export function findStart(
  { amount, starts_at, notice_days }: PriceChangeRow,
  { paid, pending }: { paid: number; pending: PriceNotice | null },
  { now, calendar }: { now: number; calendar: Calendar },
): number {
  if (amount <= paid) return Math.max(starts_at, now);
  const notice = calendar.addDays(now, notice_days);
  const isAnnounced = pending !== null && amount <= pending.amount;
  return Math.max(starts_at, isAnnounced ? Math.min(notice, pending.applies_from) : notice);
}

/** The first payment on or after a time, of a subscription whose next payment is known. */
export function findFirstPayment(
  { nextChargeAt, plan }: { nextChargeAt: number | null; plan: Plan },
  from: number,
  calendar: Calendar,
): number {
  if (nextChargeAt === null) return from;
  let at = nextChargeAt;
  for (let months = MONTHS[plan]; at < from; months += MONTHS[plan])
    at = calendar.addMonths(nextChargeAt, months);
  return at;
}
