import type { Stripe } from 'stripe';
import type { PlanIds } from '../../../payments-settings.ts';
import { isRefusal } from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import { askStripe, listStripe } from './ask-stripe.ts';
import { isUnpaid, toSubscriptionStatus } from './present.ts';
import { Anything, Invoice, Page, type Subscription } from './shapes.ts';

export const listInvoices = (stripe: Stripe, subscription: string): Promise<Invoice[]> =>
  listStripe(Page(Invoice), (page) =>
    stripe.invoices.list({ subscription, expand: ['data.payments'], ...page }),
  );

/** A declined card or a faster request is no failure: the invoice shows what happened. */
export async function payInvoice(
  stripe: Stripe,
  invoice: string,
  { key, paymentMethod }: { key: string; paymentMethod?: string },
) {
  const request = paymentMethod === undefined ? {} : { payment_method: paymentMethod };
  try {
    await askStripe(Anything, stripe.invoices.pay(invoice, request, { idempotencyKey: key }));
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/** The customer's card, if it was added after the one that is pinned to the subscription. */
function findNewCard(prices: PlanIds, subscription: Subscription): string | null {
  const { default_payment_method: pinned, customer, metadata, items } = subscription;
  const { paymentMethod: added } = customer;
  if (!metadata?.reference || toSubscriptionStatus(subscription) === 'ended') return null;
  // Another shop on the account may attach a reference too.
  if (items.data.every(({ price }) => toPlan(prices, price.id) === null)) return null;
  if (!added || added.id === pinned?.id) return null;
  return !pinned || added.created > pinned.created ? added.id : null;
}

/**
 * The portal makes a new card the customer's default, but the one that the checkout pinned to the
 * subscription wins. So we pay what is owed with the new one and pin it, whenever we notice. Paying
 * comes first: if this stops half-way, the next look still sees a new card. Returns true if it did.
 */
export async function useNewCard(
  stripe: Stripe,
  prices: PlanIds,
  subscription: Subscription,
  invoices: readonly Invoice[],
): Promise<boolean> {
  const paymentMethod = findNewCard(prices, subscription);
  if (paymentMethod === null) return false;
  const { id, schedule } = subscription;
  if (isUnpaid(subscription))
    for (const invoice of invoices.filter(({ status }) => status === 'open'))
      await payInvoice(stripe, invoice.id, {
        key: `card-${invoice.id}-${paymentMethod}`,
        paymentMethod,
      });
  const pinned = { default_payment_method: paymentMethod };
  // A schedule would pin the old one again.
  if (schedule && ['active', 'not_started'].includes(schedule.status))
    await askStripe(
      Anything,
      stripe.subscriptionSchedules.update(schedule.id, { default_settings: pinned }),
    );
  await askStripe(Anything, stripe.subscriptions.update(id, pinned));
  return true;
}

/** Nothing of it is collected any more. Stripe can't void a draft, but never collects this one. */
export async function dropInvoices(stripe: Stripe, subscription: string) {
  for (const { id, status } of await listInvoices(stripe, subscription)) {
    if (status === 'draft')
      await askStripe(Anything, stripe.invoices.update(id, { auto_advance: false }));
    if (status === 'open' || status === 'uncollectible')
      await askStripe(Anything, stripe.invoices.voidInvoice(id));
  }
}
