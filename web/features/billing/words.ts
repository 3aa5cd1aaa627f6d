import type { ChangeQuote, Invoice, Plans, Quote, Subscription } from '#contract/billing.ts';
import { dayOf } from '#contract/rules/days.ts';
import { formatDate, formatDay, formatMoney } from '#contract/rules/format.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';

export type Card = NonNullable<Subscription['card']>;

/** When it is read, and where the site is at home. */
export type Moment = { now: number; timeZone: string };

export const planNames: Record<Plan, string> = { monthly: 'Monthly', annual: 'Annual' };
export const planPeriods: Record<Plan, string> = { monthly: 'month', annual: 'year' };

/** `15 December`, and the year where it is another one than now. */
export function nameDay(at: number, { now, timeZone }: Moment): string {
  const isThisYear = dayOf(at, timeZone).slice(0, 4) === dayOf(now, timeZone).slice(0, 4);
  return isThisYear ? formatDay(at, timeZone) : formatDate(at, timeZone);
}

/** What a whole year costs less than its twelve months. */
export const yearlySaving = ({ monthly, annual }: Plans): number =>
  12 * monthly.amount - annual.amount;

/** Below the price of a plan. */
export function describeTerms(plan: Plan, plans: Plans): string {
  if (plan === 'monthly') return 'Per month. Cancel any time.';
  const saving = yearlySaving(plans);
  const months = saving / plans.monthly.amount;
  if (saving <= 0) return 'Per year. Cancel any time.';
  if (Number.isInteger(months))
    return `Per year. ${months === 1 ? 'One month' : `${countMonths(months)} months`} free against monthly.`;
  return `Per year. ${formatMoney(saving, plans.currency)} less than twelve months.`;
}

const COUNTS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'];
const countMonths = (months: number): string => COUNTS[months] ?? String(months);

/** What happens next, before anything is charged. `price` is what the plan costs without a code. */
export function describeQuote(quote: Quote, price: number, moment: Moment): string {
  const { plan, currency, dueNow, thenAmount, thenAt } = quote;
  const every = (amount: number) => `${formatMoney(amount, currency)} every ${planPeriods[plan]}`;
  const day = nameDay(thenAt, moment);
  if (dueNow > 0)
    return `You pay ${formatMoney(dueNow, currency)} today, then ${every(thenAmount)} from ${day}. Cancel any time.`;
  const then =
    thenAmount === price
      ? `From ${day} it is ${every(price)}.`
      : `On ${day} you pay ${formatMoney(thenAmount, currency)}, then ${every(price)}.`;
  return `You pay nothing today. ${then} Cancel before then and you pay nothing.`;
}

/** `Visa ending in 4242, until 08/29` */
export function describeCard({ brand, last4, expiryMonth, expiryYear }: Card): string {
  const month = String(expiryMonth).padStart(2, '0');
  const year = String(expiryYear).slice(-2);
  return `${brand} ending in ${last4}, until ${month}/${year}`;
}

/** One sentence under the name of the plan. */
export function describeStatus(subscription: Subscription, moment: Moment): string {
  const { status, plan, nextPlan, paidThrough, accessUntil, nextPayment } = subscription;
  const name = plan ? planNames[plan] : 'Premium';
  const day = (at: number | null) => (at === null ? 'the end' : nameDay(at, moment));
  switch (status) {
    case 'trial':
      return `${name}, free until ${day(nextPayment?.at ?? paidThrough)}.`;
    case 'active':
      return nextPlan
        ? `${name}, and ${planNames[nextPlan].toLowerCase()} from ${day(nextPayment?.at ?? paidThrough)}.`
        : `${name}. It renews by itself.`;
    case 'cancelled':
      return `Cancelled. Full access stays until ${day(paidThrough)}.`;
    case 'late':
      return `${name}. Full access stays until ${day(accessUntil)}.`;
    case 'complimentary':
      return `Nothing to pay. Full access until ${day(paidThrough)}.`;
    case 'ended':
      if (subscription.problem) return 'Premium is off until the payment goes through.';
      return `Your subscription has ended. You’re hearing ${PREVIEW_TEXT}s.`;
    case 'free':
      return `You’re hearing ${PREVIEW_TEXT}s.`;
  }
}

export const invoiceStates: Record<Invoice['status'], string> = {
  paid: 'Paid',
  refunded: 'Refunded',
  'partly-refunded': 'Partly refunded',
  disputed: 'Disputed',
};

/** What changing the plan will cost and when, before it is confirmed. */
export function describeChange(
  { plan, amount, currency, at }: ChangeQuote,
  moment: Moment,
): string {
  return `You pay nothing now. On ${nameDay(at, moment)} you pay ${formatMoney(amount, currency)}, and then ${formatMoney(amount, currency)} every ${planPeriods[plan]}.`;
}

export const REFUSED_TITLE = 'This payment goes back to you';
export const REFUSED_TEXT =
  'It was not what you agreed to: another amount, or with a code that had been used up. It gives no access: we have cancelled it and are paying all of it back, which your bank may take a few days to show. You can subscribe again now.';

const providerNames: Record<string, string> = { paystack: 'Paystack', stripe: 'Stripe' };

/** What another company may still charge. */
export const describeElsewhere = ({ provider, plan }: Subscription['elsewhere'][number]): string =>
  `A ${planNames[plan].toLowerCase()} subscription of yours was made at ${providerNames[provider] ?? provider}, which this site does not use any more. We cannot cancel it from here: cancel it there, by the link in its e-mails, so that you are not charged for it again.`;
