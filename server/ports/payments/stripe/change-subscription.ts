import type { Stripe } from 'stripe';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { PlanIds } from '../../../payments-settings.ts';
import { failure, subscriptionEnded, type OwedPayment, type PlanChange } from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import { askStripe } from './ask-stripe.ts';
import { findPrice, INTERVALS } from './checkout.ts';
import { dropInvoices, payInvoice } from './collect.ts';
import { isUnpaid, toSubscriptionStatus } from './present.ts';
import { fetchSubscription, findWithCard } from './read-subscription.ts';
import { Anything, Schedule, type Subscription } from './shapes.ts';

/** A schedule that still controls the subscription must be released before any other change. */
const findSchedule = ({ schedule }: Subscription): Schedule | null =>
  schedule && ['active', 'not_started'].includes(schedule.status) ? schedule : null;

async function releaseSchedule(stripe: Stripe, subscription: Subscription) {
  const schedule = findSchedule(subscription);
  if (schedule) await askStripe(Anything, stripe.subscriptionSchedules.release(schedule.id));
}

/** The portal and the dashboard may set a date instead, which has to be removed as such. */
const keepRenewing = (stripe: Stripe, { id, cancel_at_period_end: isAtEnd }: Subscription) =>
  askStripe(
    Anything,
    stripe.subscriptions.update(id, isAtEnd ? { cancel_at_period_end: false } : { cancel_at: '' }),
  );

/** Stripe would go on collecting what is open, so a late subscription ends at once. Drops a pending plan change. */
export async function cancelAtPeriodEnd(stripe: Stripe, id: string) {
  const subscription = await fetchSubscription(stripe, id);
  if (isUnpaid(subscription)) return endNow(stripe, id);
  if (['ending', 'ended'].includes(toSubscriptionStatus(subscription))) return;
  await releaseSchedule(stripe, subscription);
  await askStripe(Anything, stripe.subscriptions.update(id, { cancel_at_period_end: true }));
}

/** Voids what is open even if it has ended: an earlier attempt may have stopped half-way. */
export async function endNow(stripe: Stripe, id: string) {
  const subscription = await fetchSubscription(stripe, id);
  if (toSubscriptionStatus(subscription) !== 'ended') {
    await releaseSchedule(stripe, subscription);
    await askStripe(Anything, stripe.subscriptions.cancel(id));
  }
  await dropInvoices(stripe, id);
}

/** Pays the open invoices with the current card, which may be a new one. */
export async function payOwed(
  stripe: Stripe,
  prices: PlanIds,
  { providerSubscriptionId: id, reference }: OwedPayment,
) {
  const { subscription, invoices } = await findWithCard(stripe, prices, id);
  if (toSubscriptionStatus(subscription) === 'ended') throw subscriptionEnded();
  for (const invoice of invoices.filter(({ status }) => status === 'open'))
    await payInvoice(stripe, invoice.id, { key: `owed-${reference}-${invoice.id}` });
}

/**
 * Another plan, another price of the same plan, or the same again after a cancellation.
 * A schedule keeps the old price until the end of the period and uses the new one from then on.
 * Changing the price itself would charge another interval immediately.
 */
export async function changePlan(
  stripe: Stripe,
  prices: PlanIds,
  { providerSubscriptionId: id, plan, amount }: PlanChange,
) {
  const subscription = await fetchSubscription(stripe, id);
  const status = toSubscriptionStatus(subscription);
  if (status === 'ended') throw subscriptionEnded();
  const [item] = subscription.items.data;
  const isKept =
    !item || (toPlan(prices, item.price.id) === plan && item.price.unit_amount === amount);
  const wanted = { plan, amount, currency: CURRENCY };
  const price = isKept ? null : await findPrice(stripe, prices[plan], wanted);
  if (status === 'ending') await keepRenewing(stripe, subscription);
  if (price === null || !item) return releaseSchedule(stripe, subscription);
  const schedule =
    findSchedule(subscription) ??
    (await askStripe(Schedule, stripe.subscriptionSchedules.create({ from_subscription: id })));
  // The first phase may be over, while the last one still controls the subscription.
  const current = schedule.current_phase;
  if (!current) throw failure('Stripe returned a schedule without a phase.');
  const trialEnd = subscription.status === 'trialing' ? subscription.trial_end : null;
  await askStripe(
    Anything,
    stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        {
          items: [{ price: item.price.id, quantity: 1 }],
          start_date: current.start_date,
          end_date: item.current_period_end,
          ...(trialEnd !== null && { trial_end: trialEnd }),
        },
        {
          items: [{ price, quantity: 1 }],
          duration: { interval: INTERVALS[plan], interval_count: 1 },
          proration_behavior: 'none',
        },
      ],
    }),
  );
}
