import { monthsOf } from '#contract/rules/plans.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import type { SubscriptionRow } from '../queries.ts';

/** After the payment was declined on its day, the card is tried again on these days. */
const RETRY_DAYS = [1, 3, 5];
/** A day before the next attempt, at least: banks count more than that against us. */
const LEAST_DAYS = 0.9;
/** Without a payment by then, the subscription ends. */
const LATE_DAYS = 5;

/** When to try a declined card again; null when the schedule is over. */
export const findRetry = (lateSince: number, now: number, calendar: Calendar): number | null =>
  RETRY_DAYS.map((days) => calendar.addDays(lateSince, days)).find(
    (at) => at >= calendar.addDays(now, LEAST_DAYS),
  ) ?? null;

/** Until when a late payment can be paid. */
export const findLateEnd = (lateSince: number, calendar: Calendar): number =>
  calendar.addDays(lateSince, LATE_DAYS);

/** When the card is to be charged next; null if that isn't planned. */
export function findChargeTime({
  status,
  next_at,
  retry_at,
  held_since,
}: SubscriptionRow): number | null {
  if (held_since !== null) return null;
  if (status === 'trial' || status === 'active') return next_at;
  return status === 'late' ? retry_at : null;
}

/** The payment so many periods after the first, on its day of the month. */
export const findDueDate = (
  { firstAt, plan }: { firstAt: number; plan: SubscriptionRow['plan'] },
  periods: number,
  calendar: Calendar,
): number => calendar.addMonths(firstAt, periods * monthsOf(plan));

/** A reference names its payment, so that no crash, retry or second worker makes another one. */
export const renewalReference = (
  { id, period }: Pick<SubscriptionRow, 'id' | 'period'>,
  attempt: number,
): string => `wk-r-${id}-${period}-${attempt}`;

/** What the bank may show. */
export const describePlan = (plan: SubscriptionRow['plan'], siteName: string): string =>
  `${siteName} Premium, ${plan}`;
