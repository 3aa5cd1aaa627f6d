import {
  chargePayload,
  invoicePayload,
  sessionPayload,
  subscriptionPayload,
  type FakeInvoice,
  type FakeSubscription,
} from '../stripe-payloads.ts';
import { DAY } from '#contract/rules/time.ts';
import type { StripeAccount } from './account.ts';

const bill = (
  { newId, emptied, invoices, charges, queueEvent }: StripeAccount,
  subscription: FakeSubscription,
  reason: FakeInvoice['reason'],
  { amount, at }: { amount: number; at: number },
): boolean => {
  const isPaid = amount === 0 || !emptied.has(subscription.id);
  const intent = amount === 0 ? null : newId('pi');
  const { customer, price } = subscription;
  const invoice: FakeInvoice = {
    id: newId('in'),
    customer,
    subscription: subscription.id,
    reason,
    status: isPaid ? 'paid' : 'open',
    price,
    amount,
    intent,
    createdAt: at,
    retryAt: isPaid ? null : at + DAY,
  };
  invoices.push(invoice);
  if (intent !== null) {
    const charge = {
      id: newId('ch'),
      customer,
      intent,
      amount,
      refunded: 0,
      isDisputed: false,
      isPaid,
      at,
    };
    charges.push(charge);
    queueEvent(isPaid ? 'charge.succeeded' : 'charge.failed', chargePayload(charge));
  }
  queueEvent(isPaid ? 'invoice.paid' : 'invoice.payment_failed', invoicePayload(invoice));
  return isPaid;
};

/** Pays a checkout. */
export const pay = (account: StripeAccount, reference: string) => {
  const { sessions, subscriptions, clock, newId, periodEnd, queueEvent } = account;
  const session = sessions.find((found) => found.reference === reference);
  if (!session) throw new Error(`Stripe has no page for ${reference}.`);
  if (session.status !== 'open') return;
  const now = clock.now();
  const { price, trialEnd } = session;
  const subscription: FakeSubscription = {
    id: newId('sub'),
    reference,
    customer: session.customer ?? newId('cus'),
    status: trialEnd === null ? 'active' : 'trialing',
    price,
    isCancelled: false,
    trialEnd,
    periodStart: now,
    periodEnd: trialEnd ?? periodEnd(now, price),
    schedule: null,
  };
  subscriptions.push(subscription);
  Object.assign(session, {
    status: 'complete',
    customer: subscription.customer,
    subscription: subscription.id,
  });
  const amount = trialEnd === null ? session.amount : 0;
  bill(account, subscription, 'subscription_create', { amount, at: now });
  queueEvent('customer.subscription.created', subscriptionPayload(subscription));
  queueEvent('checkout.session.completed', sessionPayload(session));
};

/** A schedule controls its subscription until the end of its last phase, not until its start. */
const takePhase = (subscription: FakeSubscription, at: number) => {
  const { schedule } = subscription;
  if (!schedule) return;
  const phase = schedule.phases.find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
  if (phase) {
    schedule.current = phase;
    subscription.price = phase.price;
  } else {
    subscription.schedule = null;
    schedule.status = 'released';
  }
};

const renew = (account: StripeAccount, subscription: FakeSubscription) => {
  const { queueEvent, periodEnd } = account;
  const at = subscription.periodEnd;
  if (subscription.isCancelled) {
    subscription.status = 'canceled';
    return queueEvent('customer.subscription.deleted', subscriptionPayload(subscription));
  }
  takePhase(subscription, at);
  subscription.periodStart = at;
  subscription.periodEnd = periodEnd(at, subscription.price);
  const { amount } = subscription.price;
  const isPaid = bill(account, subscription, 'subscription_cycle', { amount, at });
  subscription.status = isPaid ? 'active' : 'past_due';
  return queueEvent('customer.subscription.updated', subscriptionPayload(subscription));
};

/** Lets time pass and charges what is due on the way. */
export const passTo = (account: StripeAccount, time: number) => {
  const { sessions, subscriptions } = account;
  for (const session of sessions)
    if (session.status === 'open' && time >= session.createdAt + DAY) session.status = 'expired';
  for (const subscription of subscriptions)
    while (subscription.status !== 'canceled' && subscription.periodEnd <= time)
      renew(account, subscription);
};
