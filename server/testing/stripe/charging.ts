import { DAY } from '#contract/rules/time.ts';
import {
  chargePayload,
  customerPayload,
  disputePayload,
  invoicePayload,
  paymentMethodPayload,
  sessionPayload,
  subscriptionPayload,
  type FakeCharge,
  type FakeInvoice,
  type FakePaymentMethod,
  type FakeSubscription,
} from '../stripe-payloads.ts';
import type { StripeAccount } from './account.ts';

/** An open invoice is tried again on these days after it was due. */
const RETRY_DAYS = [3, 5, 7, 14];
/** Stripe expects evidence about a dispute within this time. */
const EVIDENCE_MS = 9 * DAY;

const setStatus = (
  { queueEvent }: StripeAccount,
  subscription: FakeSubscription,
  status: FakeSubscription['status'],
) => {
  if (subscription.status === 'canceled') return;
  subscription.status = status;
  queueEvent('customer.subscription.updated', subscriptionPayload(subscription));
};

/** Charges the subscription's card, unless another one is named. False if the bank declines. */
export const collect = (
  account: StripeAccount,
  invoice: FakeInvoice,
  { at, method }: { at: number; method?: FakePaymentMethod | undefined },
): boolean => {
  const { newId, emptied, charges, queueEvent, findSubscription } = account;
  const subscription = findSubscription(invoice.subscription);
  if (!subscription) throw new Error(`Stripe has no subscription ${invoice.subscription}.`);
  const { customer, amount } = invoice;
  const used = method ?? subscription.paymentMethod;
  const isPaid = amount === 0 || !emptied.has(used.id);
  const retryDay = RETRY_DAYS.find((day) => invoice.createdAt + day * DAY > at);
  const canRetry = !isPaid && retryDay !== undefined && subscription.status !== 'canceled';
  Object.assign(invoice, {
    status: isPaid ? 'paid' : 'open',
    retryAt: canRetry ? invoice.createdAt + retryDay * DAY : null,
    intent: amount === 0 ? null : (invoice.intent ?? newId('pi')),
  });
  if (invoice.intent !== null) {
    const { intent } = invoice;
    const charge: FakeCharge = {
      id: newId('ch'),
      customer,
      intent,
      amount,
      refunded: 0,
      dispute: null,
      isPaid,
      card: used.card,
      at,
    };
    charges.push(charge);
    queueEvent(isPaid ? 'charge.succeeded' : 'charge.failed', chargePayload(charge));
  }
  queueEvent(isPaid ? 'invoice.paid' : 'invoice.payment_failed', invoicePayload(invoice));
  if (subscription.status !== 'trialing' || amount > 0)
    setStatus(account, subscription, isPaid ? 'active' : 'past_due');
  return isPaid;
};

const addInvoice = (
  { newId, invoices }: StripeAccount,
  { id: subscription, customer, price }: FakeSubscription,
  reason: FakeInvoice['reason'],
  { amount, at }: { amount: number; at: number },
): FakeInvoice => {
  const invoice: FakeInvoice = {
    id: newId('in'),
    customer: customer.id,
    subscription,
    reason,
    status: 'draft',
    price,
    amount,
    intent: null,
    createdAt: at,
    retryAt: at,
  };
  invoices.push(invoice);
  return invoice;
};

/** Pays a checkout. The card is pinned to the subscription; the customer gets no default. */
export const pay = (account: StripeAccount, reference: string, card = 'first') => {
  const { sessions, subscriptions, clock, newId, periodEnd, queueEvent } = account;
  const session = sessions.find((found) => found.reference === reference);
  if (!session) throw new Error(`Stripe has no page for ${reference}.`);
  if (session.status !== 'open') return;
  const now = clock.now();
  const { price, trialEnd } = session;
  const subscription: FakeSubscription = {
    id: newId('sub'),
    reference,
    customer: account.getCustomer(session.customer ?? newId('cus')),
    paymentMethod: account.newPaymentMethod(card),
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
    customer: subscription.customer.id,
    subscription: subscription.id,
  });
  const amount = trialEnd === null ? session.amount : 0;
  const invoice = addInvoice(account, subscription, 'subscription_create', { amount, at: now });
  collect(account, invoice, { at: now });
  queueEvent('customer.subscription.created', subscriptionPayload(subscription));
  queueEvent('checkout.session.completed', sessionPayload(session));
};

/** The portal: only the customer's default changes, not the card pinned to the subscription. */
export const updateCard = (account: StripeAccount, id: string, card: string) => {
  const { findSubscription, newPaymentMethod, queueEvent } = account;
  const customer = findSubscription(id)?.customer;
  if (!customer) throw new Error(`Stripe has no subscription ${id}.`);
  customer.paymentMethod = newPaymentMethod(card);
  queueEvent('payment_method.attached', paymentMethodPayload(customer.paymentMethod, customer.id));
  queueEvent('customer.updated', customerPayload(customer));
};

/** A schedule controls its subscription until the end of its last phase, not until its start. */
const takePhase = (subscription: FakeSubscription, at: number) => {
  const { schedule } = subscription;
  if (!schedule) return;
  const phase = schedule.phases.find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
  if (phase) {
    schedule.current = phase;
    subscription.price = phase.price;
    subscription.paymentMethod = schedule.paymentMethod;
  } else {
    subscription.schedule = null;
    schedule.status = 'released';
  }
};

const renew = (account: StripeAccount, subscription: FakeSubscription) => {
  const { queueEvent, periodEnd, drafting } = account;
  const at = subscription.periodEnd;
  if (subscription.isCancelled || (subscription.cancelAt ?? Infinity) <= at) {
    subscription.status = 'canceled';
    queueEvent('customer.subscription.deleted', subscriptionPayload(subscription));
    return;
  }
  takePhase(subscription, at);
  subscription.periodStart = at;
  subscription.periodEnd = periodEnd(at, subscription.price);
  const { amount } = subscription.price;
  const invoice = addInvoice(account, subscription, 'subscription_cycle', { amount, at });
  invoice.retryAt = at + drafting.ms;
};

/** What happens next to a subscription: a renewal, its end or another attempt to collect. */
const findNext = ({ invoices }: StripeAccount, subscription: FakeSubscription) => {
  const retries = invoices.flatMap((invoice) => {
    const { subscription: id, status, retryAt } = invoice;
    const isWaiting = id === subscription.id && ['draft', 'open'].includes(status);
    return isWaiting && retryAt !== null ? [{ at: retryAt, invoice }] : [];
  });
  const renewal = { at: subscription.periodEnd, invoice: null };
  const due = subscription.status === 'canceled' ? retries : [...retries, renewal];
  return due.toSorted((a, b) => a.at - b.at)[0];
};

/** Lets time pass and charges what is due on the way. */
export const passTo = (account: StripeAccount, time: number) => {
  const { sessions, subscriptions } = account;
  for (const session of sessions)
    if (session.status === 'open' && time >= session.createdAt + DAY) session.status = 'expired';
  for (const subscription of subscriptions)
    for (;;) {
      const next = findNext(account, subscription);
      if (!next || next.at > time) break;
      if (next.invoice) collect(account, next.invoice, { at: next.at });
      else renew(account, subscription);
    }
};

/** A dispute, or what became of it. */
export const dispute = (
  { charges, clock, queueEvent }: StripeAccount,
  id: string,
  status: NonNullable<FakeCharge['dispute']>['status'] = 'needs_response',
) => {
  const charge = charges.find((found) => found.id === id);
  if (!charge) throw new Error(`Stripe has no charge ${id}.`);
  const isNew = charge.dispute === null;
  charge.dispute = { status, dueAt: charge.dispute?.dueAt ?? clock.now() + EVIDENCE_MS };
  queueEvent(`charge.dispute.${isNew ? 'created' : 'updated'}`, disputePayload(charge));
};
