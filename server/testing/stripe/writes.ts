import type { FakeAnswer } from '../fake-http.ts';
import {
  chargePayload,
  refundPayload,
  sessionPayload,
  subscriptionPayload,
  type FakeSubscription,
} from '../stripe-payloads.ts';
import { DAY } from '#contract/rules/time.ts';
import { missing, ok, refuse, type StripeAccount, type FakeSessionRequest } from './account.ts';
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
) => {
  if (subscription.schedule)
    return refuse(400, 'invalid_request', 'The subscription is managed by its schedule.');
  subscription.isCancelled = form.get('cancel_at_period_end') === 'true';
  queueEvent('customer.subscription.updated', subscriptionPayload(subscription));
  return ok(subscriptionPayload(subscription));
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

export const write = (account: StripeAccount, path: string, form: URLSearchParams): FakeAnswer => {
  const [, , kind = '', id = '', action = ''] = path.split('/');
  if (path === '/v1/checkout/sessions') return createSession(account, form);
  if (path === '/v1/coupons') return createCoupon(account, form);
  if (path === '/v1/refunds') return createRefund(account, form);
  if (path === '/v1/subscription_schedules') return createSchedule(account, form);
  if (path === '/v1/billing_portal/sessions') return openPortal(account);
  const subscription = kind === 'subscriptions' ? account.findSubscription(id) : undefined;
  if (subscription) return updateSubscription(account, subscription, form);
  const schedule = account.schedules.find((found) => found.id === id);
  if (!schedule) return missing;
  return action === 'release'
    ? release(account, schedule)
    : updateSchedule(account, schedule, form);
};
