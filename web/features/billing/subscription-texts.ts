import type { ChangeQuote, Quote, Subscription } from '#contract/billing.ts';
import { dayOf } from '#contract/rules/days.ts';
import { formatMoney } from '#contract/rules/format.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import { useOpenedAt } from '#web/lib/format/now.ts';
import { boot, readOffers } from '#web/lib/store/boot.ts';
import { formatDate, formatDay } from '#web/lib/format/format.ts';
import { planNames, planPeriods } from './plans/plan-texts.ts';

/** What a date is written for. */
export type DateContext = { now: number };

/** Stays the same while the component is mounted. */
export const useDateContext = (): DateContext => ({ now: useOpenedAt() });

/** `15 December`, with the year if it is not the current one. */
export function formatNearDay(at: number, { now }: DateContext): string {
  const [year, thisYear] = [at, now].map((time) => dayOf(time, boot.timeZone).slice(0, 4));
  return year === thisYear ? formatDay(at) : formatDate(at);
}

/** What the user pays and when. `price` is the plan's price without a coupon. */
export function describeQuote(quote: Quote, price: number, dates: DateContext): string {
  const { plan, currency, priceChange } = quote;
  const payments = describePayments(quote, price, dates);
  if (!priceChange) return payments;
  const changed = formatMoney(priceChange.amount, currency);
  return `${payments} From ${formatNearDay(priceChange.at, dates)} it costs ${changed} a ${planPeriods[plan]}.`;
}

function describePayments(quote: Quote, price: number, dates: DateContext): string {
  const { plan, currency, dueNow, cardCheck, thenAmount, thenAt, trialDays, coupon } = quote;
  const money = (amount: number) => formatMoney(amount, currency);
  const period = planPeriods[plan];
  const day = formatNearDay(thenAt, dates);
  if (dueNow > 0)
    return `${money(dueNow)} today, then ${money(thenAmount)} a ${period} from ${day}. Cancel any time.`;
  const then =
    thenAmount === price
      ? `then ${money(price)} a ${period} from ${day}`
      : `then ${money(thenAmount)} on ${day} and ${money(price)} a ${period} after that`;
  const today =
    trialDays > 0 || coupon ? 'Free today' : 'Nothing to pay while the time you have lasts';
  const check =
    cardCheck > 0 ? ` We check your card with ${money(cardCheck)}, which goes straight back.` : '';
  return `${today}, ${then}.${check} Cancel before then and you won’t pay anything.`;
}

/** The sentence below the plan's name. */
export function describeStatus(subscription: Subscription, dates: DateContext): string {
  const { status, plan, nextPlan, paidThrough, accessUntil, nextPayment } = subscription;
  const name = plan ? planNames[plan] : 'Premium';
  const day = (at: number | null) => (at === null ? 'the end' : formatNearDay(at, dates));
  switch (status) {
    case 'trial':
      return `${name}, free until ${day(nextPayment?.at ?? paidThrough)}.`;
    case 'active':
      if (nextPayment?.isFirst)
        return `${name}, from ${day(nextPayment.at)}. Until then you use the time you have.`;
      return nextPlan
        ? `${name}, switching to ${planNames[nextPlan].toLowerCase()} on ${day(nextPayment?.at ?? paidThrough)}.`
        : `${name}, renews automatically.`;
    case 'cancelled':
      // Whoever cancels a late payment keeps the rest of the grace period.
      return `Cancelled. You have full access until ${day((paidThrough ?? 0) > dates.now ? paidThrough : accessUntil)}.`;
    case 'late':
    case 'needs_member':
      if (!subscription.hasAccess) return 'Premium is paused until your payment goes through.';
      return `${name}. You have full access until ${day(accessUntil)}.`;
    case 'complimentary':
      return `Complimentary access until ${day(paidThrough)}.`;
    case 'paid-once':
      return `Paid until ${day(paidThrough)}. It doesn’t renew.`;
    case 'ended':
      if (subscription.isHeld) return 'Premium is paused while your bank decides about a payment.';
      if (subscription.renews) return 'You have no access now, but your subscription still renews.';
      return `Your subscription has ended. You’re hearing ${PREVIEW_TEXT}s.`;
    case 'free':
      return `You’re hearing ${PREVIEW_TEXT}s.`;
  }
}

/** For a member without access. */
export function describeNextCharge(
  { nextPayment, currency }: Subscription,
  dates: DateContext,
): string {
  const charge = nextPayment
    ? `charged ${formatMoney(nextPayment.amount, currency)} on ${formatNearDay(nextPayment.at, dates)}`
    : 'charged again';
  return `You have no access now, but your card would still be ${charge}. Cancel if you don’t want that.`;
}

/** What the dialog says before a member cancels. */
export function describeCancellation(subscription: Subscription, dates: DateContext): string {
  const { problem, hasAccess, paidThrough, accessUntil } = subscription;
  const day = (at: number | null) =>
    at === null ? 'the end of your billing period' : formatNearDay(at, dates);
  if (problem) {
    const access = hasAccess ? ` You’ll keep access until ${day(accessUntil)}.` : '';
    return `Your subscription ends now. We won’t charge anything more.${access}`;
  }
  if (!hasAccess) return 'Your subscription won’t renew and you won’t be charged again.';
  return `You’ll keep full access until ${day(paidThrough)} and won’t be charged again. You can resume any time before then.`;
}

/** What a member has after cancelling. */
export function describeCancelled(subscription: Subscription, dates: DateContext): string {
  const { hasAccess, canResume, paidThrough, accessUntil } = subscription;
  const until = canResume ? paidThrough : accessUntil;
  return hasAccess && until !== null
    ? `You have full access until ${formatNearDay(until, dates)}.`
    : 'You won’t be charged again.';
}

/** A late subscription has no paid time left, so cancelling ends it now. */
export function describeCancelling({ problem, hasAccess }: Subscription): string {
  if (problem) return 'Ends your subscription now. You won’t owe anything.';
  return hasAccess
    ? 'You’ll keep access until the end of your billing period.'
    : 'You won’t be charged again.';
}

export function describePlanChange(
  { plan, amount, currency, at }: ChangeQuote,
  dates: DateContext,
): string {
  return `Nothing to pay now. From ${formatNearDay(at, dates)} you’ll pay ${formatMoney(amount, currency)} a ${planPeriods[plan]}.`;
}

/** For a member whose bank decides about a dispute. */
export const describeHold = ({ hasAccess }: Subscription): string =>
  `You or your bank questioned a payment, and the bank hasn’t decided yet. Until then we charge nothing${hasAccess ? ', and Premium goes on until the time you’ve paid for ends' : ', and Premium is paused'}. If it was a mistake, ask your bank to withdraw the dispute.`;

export function describeGift(months: number, from: string): string {
  const time = months === 1 ? 'one month' : `${months} months`;
  const giver = from.trim() === '' ? 'Someone' : from.trim();
  return `${giver} has given you ${time} of Premium: every mix in full${readOffers().mp3 ? ', yours to download' : ''}. No card needed, nothing to cancel.`;
}

/** What a gift means for someone whose card is charged regularly. */
export function describeGiftCharges(
  { nextPayment, currency, paidThrough, hasAccess }: Subscription,
  dates: DateContext,
): string {
  const start =
    paidThrough !== null && hasAccess
      ? ` It starts on ${formatNearDay(paidThrough, dates)}, when the time you have ends.`
      : ' It starts at once.';
  const today = 'Nothing is charged today.';
  if (!nextPayment) return `${today}${start}`;
  const { amount, at } = nextPayment;
  return `${today} The gift comes after the time you have. Your next payment of ${formatMoney(amount, currency)} moves from ${formatNearDay(at, dates)} to the end of the gift.`;
}

/** `From 3 March your plan costs R99 instead of R79.` */
export function describePriceChange(
  { priceChange, currency }: Subscription,
  dates: DateContext,
): string | null {
  if (!priceChange) return null;
  const { at, amount, oldAmount } = priceChange;
  const money = (cents: number) => formatMoney(cents, currency);
  return `From ${formatNearDay(at, dates)} your plan costs ${money(amount)} instead of ${money(oldAmount)}`;
}

export function describeRedeemedGift({ paidThrough }: Subscription, dates: DateContext): string {
  const until = paidThrough === null ? '' : ` until ${formatNearDay(paidThrough, dates)}`;
  return `You have Premium${until}. Full access to all content.`;
}
