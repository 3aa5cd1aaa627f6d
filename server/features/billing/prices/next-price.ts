import type { Calendar } from '../../../ports/payments/payments.ts';
import type { SubscriptionRow } from '../queries.ts';
import type { PriceNotice } from './queries.ts';

/** A higher price needs a mail that was sent, and the whole notice after it. */
const isAnnounced = (
  { amount, old_amount, sent_at, notice_days }: PriceNotice,
  at: number,
  calendar: Calendar,
): boolean =>
  amount <= old_amount || (sent_at !== null && calendar.addDays(sent_at, notice_days) <= at);

/**
 * The one place that decides what the next payment costs: what the member agreed to, or the newest
 * price that they were told about in time.
 */
export function findNextPrice(
  { plan, next_plan, next_at, amount: price, next_amount, provider }: SubscriptionRow,
  notices: readonly PriceNotice[],
  calendar: Calendar,
): { amount: number; notice: PriceNotice | null } {
  // A coupon's price is for one payment, whatever the plan costs.
  const isReduced = next_plan === null && next_amount < price;
  const notice = notices.find(
    (one) =>
      one.state === 'told' &&
      one.plan === (next_plan ?? plan) &&
      one.provider === provider &&
      one.applies_from <= next_at,
  );
  if (!notice || isReduced || !isAnnounced(notice, next_at, calendar))
    return { amount: next_amount, notice: null };
  return { amount: notice.amount, notice };
}
