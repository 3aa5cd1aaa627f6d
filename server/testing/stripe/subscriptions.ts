import { createCalendar } from '../../ports/payments/calendar.ts';
import type { FakeAnswer } from '../fake-http.ts';
import { subscriptionPayload, type FakeSubscription } from '../stripe-payloads.ts';
import { missing, ok, type StripeAccount } from './account.ts';

const { addMonths } = createCalendar();

const findPeriodEnd = (from: number, { interval }: FakeSubscription['price']): number =>
  addMonths(from, interval === 'month' ? 1 : 12);

/** An invoice, which the card pays or not. */
export function chargeSubscription(account: StripeAccount, subscription: FakeSubscription) {
  const now = account.clock.now();
  const isPaid = account.bankAnswers.get(subscription.method.id) !== 'declines';
  const invoice = {
    id: account.newId('in'),
    subscription: subscription.id,
    amount: subscription.price.amount,
    createdAt: now,
    paidAt: isPaid ? now : null,
  };
  account.invoices.push(invoice);
  subscription.latestInvoice = invoice;
  if (subscription.status !== 'canceled') subscription.status = isPaid ? 'active' : 'past_due';
}

export function subscribe(
  account: StripeAccount,
  email: string,
  price: Partial<FakeSubscription['price']> = {},
): FakeSubscription {
  const customer = { id: account.newId('cus'), email };
  const method = { id: account.newId('pm'), card: 'first', email, customer: customer.id };
  account.methods.push(method);
  const named = { id: 'price_monthly', amount: 79_00, interval: 'month' as const, ...price };
  const made: FakeSubscription = {
    id: account.newId('sub'),
    status: 'active',
    customer,
    method,
    price: named,
    periodEnd: findPeriodEnd(account.clock.now(), named),
    latestInvoice: null,
  };
  account.subscriptions.push(made);
  chargeSubscription(account, made);
  return made;
}

/** Charges what is due now. */
export function chargeSubscriptions(account: StripeAccount) {
  for (const subscription of account.subscriptions) {
    const { status, periodEnd, price } = subscription;
    if (status === 'canceled' || periodEnd > account.clock.now()) continue;
    chargeSubscription(account, subscription);
    subscription.periodEnd = findPeriodEnd(periodEnd, price);
  }
}

/** At once. Stripe doesn't find it again to cancel it. */
export function cancel(account: StripeAccount, path: string): FakeAnswer {
  const found = account.subscriptions.find(({ id }) => path === `/v1/subscriptions/${id}`);
  if (!found || found.status === 'canceled') return missing;
  found.status = 'canceled';
  return ok(subscriptionPayload(found));
}
