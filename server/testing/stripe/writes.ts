import type { FakeAnswer } from '../fake-http.ts';
import {
  chargePayload,
  invoicePayload,
  refundPayload,
  sessionPayload,
  subscriptionPayload,
  type FakeInvoice,
  type FakeSubscription,
} from '../stripe-payloads.ts';
import { DAY } from '#contract/rules/time.ts';
import { missing, ok, refuse, type StripeAccount, type FakeSessionRequest } from './account.ts';
import { collect } from './charging.ts';
import { createSchedule, release, updateSchedule } from './schedules.ts';

const createSession = (
  { findPrice, coupons, clock, newId, sessions }: StripeAccount,
  form: URLSearchParams,
): FakeAnswer => {
  const price = findPrice(form.get('line_items[0][price]'));
  if (!price || form.get('mode') !== 'subscription') return missing;
  // The account converts currencies unless that is turned off.
  const rate = form.get('adaptive_pricing[enabled]') === 'false' ? 1 : 0.05;
  const coupon = form.get('discounts[0][coupon]');
  const amount = Math.round((price.amount - (coupon ? (coupons.get(coupon) ?? 0) : 0)) * rate);
  const days = Number(form.get('subscription_data[trial_period_days]') ?? 0);
  const trialEnd = Number(form.get('subscription_data[trial_end]') ?? 0) * 1000;
  if (trialEnd > 0 && trialEnd < clock.now() + 2 * DAY)
    return refuse(400, 'parameter_invalid', 'The trial must end at least 2 days from now.');
  const session: FakeSessionRequest = {
    id: newId('cs_test'),
    reference: form.get('client_reference_id') ?? '',
    status: 'open',
    customer: form.get('customer'),
    subscription: null,
    isFree: amount === 0 || trialEnd > 0 || days > 0,
    createdAt: clock.now(),
    price,
    amount,
    trialEnd: trialEnd || (days ? clock.now() + days * DAY : null),
  };
  sessions.push(session);
  return ok(sessionPayload(session));
};

const createRefund = (
  { charges, newId, refunds, queueEvent }: StripeAccount,
  form: URLSearchParams,
): FakeAnswer => {
  const charge = charges.find(({ id }) => id === form.get('charge'));
  const amount = Number(form.get('amount'));
  if (!charge?.isPaid) return missing;
  if (charge.refunded + amount > charge.amount)
    return refuse(400, 'charge_already_refunded', 'The refund is more than what is left.');
  charge.refunded += amount;
  const key = form.get('metadata[key]') ?? '';
  const refund = { id: newId('re'), charge: charge.id, amount, key };
  refunds.push(refund);
  queueEvent('charge.refunded', chargePayload(charge));
  return ok(refundPayload(refund));
};

const updateSubscription = (
  { queueEvent }: StripeAccount,
  subscription: FakeSubscription,
  form: URLSearchParams,
): FakeAnswer => {
  const isCancelled = form.get('cancel_at_period_end');
  const cancelAt = form.get('cancel_at');
  const method = form.get('default_payment_method');
  if (subscription.status === 'canceled') return missing;
  if ((isCancelled ?? cancelAt) !== null && subscription.schedule)
    return refuse(400, 'invalid_request', 'The subscription is managed by its schedule.');
  if (isCancelled !== null) subscription.isCancelled = isCancelled === 'true';
  if (cancelAt === '') subscription.cancelAt = null;
  const { paymentMethod } = subscription.customer;
  if (method !== null && method !== paymentMethod?.id) return missing;
  if (method !== null && paymentMethod) subscription.paymentMethod = paymentMethod;
  queueEvent('customer.subscription.updated', subscriptionPayload(subscription));
  return ok(subscriptionPayload(subscription));
};

/** Stripe stops collecting its invoices, but they stay open and can be paid until they are voided. */
const cancelSubscription = (
  { queueEvent, invoices }: StripeAccount,
  subscription: FakeSubscription,
): FakeAnswer => {
  if (subscription.status === 'canceled') return missing;
  if (subscription.schedule) subscription.schedule.status = 'released';
  Object.assign(subscription, { status: 'canceled', schedule: null });
  for (const invoice of invoices)
    if (invoice.subscription === subscription.id && invoice.status === 'open')
      invoice.retryAt = null;
  queueEvent('customer.subscription.deleted', subscriptionPayload(subscription));
  return ok(subscriptionPayload(subscription));
};

const changeInvoice = (
  account: StripeAccount,
  invoice: FakeInvoice,
  action: string,
  form: URLSearchParams,
): FakeAnswer => {
  const { clock, findSubscription } = account;
  if (action === 'pay') {
    if (invoice.status !== 'open') return refuse(400, 'invoice_not_open', 'It can’t be paid.');
    const named = form.get('payment_method');
    const method = findSubscription(invoice.subscription)?.customer.paymentMethod;
    if (named !== null && named !== method?.id) return missing;
    const used = named === null ? undefined : (method ?? undefined);
    if (collect(account, invoice, { at: clock.now(), method: used }))
      return ok(invoicePayload(invoice));
    const error = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' };
    return { status: 402, json: { error } };
  }
  if (action === 'void') {
    if (invoice.status !== 'open') return refuse(400, 'invoice_not_open', 'It can’t be voided.');
    Object.assign(invoice, { status: 'void', retryAt: null });
  } else if (form.get('auto_advance') === 'false') invoice.retryAt = null;
  return ok(invoicePayload(invoice));
};

const createCoupon = ({ coupons }: StripeAccount, form: URLSearchParams): FakeAnswer => {
  const id = form.get('id') ?? '';
  if (coupons.has(id)) return refuse(400, 'resource_already_exists', 'The coupon exists.');
  coupons.set(id, Number(form.get('amount_off')));
  return ok({ id, object: 'coupon' });
};

const openPortal = ({ newId }: StripeAccount): FakeAnswer => {
  const id = newId('bps');
  return ok({ id, url: `https://billing.stripe.com/p/session/${id}` });
};

export const write = (
  account: StripeAccount,
  { method, path }: { method: string; path: string },
  form: URLSearchParams,
): FakeAnswer => {
  const [, , kind = '', id = '', action = ''] = path.split('/');
  if (path === '/v1/checkout/sessions') return createSession(account, form);
  if (path === '/v1/coupons') return createCoupon(account, form);
  if (path === '/v1/refunds') return createRefund(account, form);
  if (path === '/v1/subscription_schedules') return createSchedule(account, form);
  if (path === '/v1/billing_portal/sessions') return openPortal(account);
  const subscription = kind === 'subscriptions' ? account.findSubscription(id) : undefined;
  if (subscription)
    return method === 'DELETE'
      ? cancelSubscription(account, subscription)
      : updateSubscription(account, subscription, form);
  const invoice = account.invoices.find((found) => found.id === id);
  if (invoice) return changeInvoice(account, invoice, action, form);
  const schedule = account.schedules.find((found) => found.id === id);
  if (!schedule) return missing;
  return action === 'release'
    ? release(account, schedule)
    : updateSchedule(account, schedule, form);
};
