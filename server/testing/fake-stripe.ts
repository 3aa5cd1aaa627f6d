import { Stripe } from 'stripe';
import type { PlanIds } from '../payments-settings.ts';
import { createCalendar } from '../ports/payments/calendar.ts';
import {
  startFakeServer,
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
} from './fake-http.ts';
import type { Delivery } from './payments-contract/subject.ts';
import {
  chargePayload,
  disputePayload,
  invoicePayload,
  listPayload,
  pricePayload,
  refundPayload,
  schedulePayload,
  sessionPayload,
  subscriptionPayload,
  type FakeCharge,
  type FakeInvoice,
  type FakePrice,
  type FakeSchedule,
  type FakeSession,
  type FakeSubscription,
} from './stripe-payloads.ts';

export const STRIPE_KEY = 'sk_test_fake0123456789';
export const STRIPE_WEBHOOK_SECRET = 'whsec_fake0123456789';
export const STRIPE_PRICES: PlanIds = { monthly: ['price_monthly'], annual: ['price_annual'] };

const DAY = 24 * 60 * 60 * 1000;

export type FakeStripe = FakeServer & {
  prices: FakePrice[];
  subscriptions: FakeSubscription[];
  coupons: Map<string, number>;
  pay: (reference: string) => void;
  emptyAccount: (subscription: string) => void;
  dispute: (charge: string) => void;
  passTo: (time: number) => void;
  takeWebhooks: () => Delivery[];
  sign: (body: string) => Delivery;
};

type Wish = FakeSession & { price: FakePrice; amount: number; trialEnd: number | null };

const ok = (json: unknown): FakeAnswer => ({ status: 200, json });
const refuse = (status: number, code: string, message: string): FakeAnswer => ({
  status,
  json: { error: { type: 'invalid_request_error', code, message } },
});
const missing = refuse(404, 'resource_missing', 'No such object.');

/** Stripe as far as we speak with it, with its state in memory and the test's clock. */
export async function startFakeStripe(clock: { now: () => number }): Promise<FakeStripe> {
  const { addPeriod } = createCalendar();
  const signer = new Stripe(STRIPE_KEY, { telemetry: false });
  let lastId = 0;
  const newId = (kind: string) => `${kind}_${(lastId += 1)}`;
  const prices: FakePrice[] = [
    { id: 'price_monthly', amount: 7900, interval: 'month' },
    { id: 'price_annual', amount: 79_000, interval: 'year' },
  ];
  const sessions: Wish[] = [];
  const subscriptions: FakeSubscription[] = [];
  const invoices: FakeInvoice[] = [];
  const charges: FakeCharge[] = [];
  const schedules: FakeSchedule[] = [];
  const refunds: { id: string; charge: string; amount: number; key: string }[] = [];
  const coupons = new Map<string, number>();
  const emptied = new Set<string>();
  const answered = new Map<string, { body: string; answer: FakeAnswer }>();
  const told: string[] = [];

  const sign = (body: string): Delivery => {
    const timestamp = Math.floor(clock.now() / 1000);
    const header = signer.webhooks.generateTestHeaderString({
      payload: body,
      secret: STRIPE_WEBHOOK_SECRET,
      timestamp,
    });
    return {
      headers: { 'content-type': 'application/json', 'stripe-signature': header },
      rawBody: Buffer.from(body),
    };
  };
  const tell = (type: string, object: unknown) =>
    told.push(JSON.stringify({ id: newId('evt'), object: 'event', type, data: { object } }));

  const periodEnd = (from: number, { interval }: FakePrice) =>
    addPeriod(from, interval === 'month' ? 'monthly' : 'annual');
  const findPrice = (id: string | null) => prices.find((price) => price.id === id);
  const findSubscription = (id: string) => subscriptions.find((found) => found.id === id);

  const bill = (
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
      tell(isPaid ? 'charge.succeeded' : 'charge.failed', chargePayload(charge));
    }
    tell(isPaid ? 'invoice.paid' : 'invoice.payment_failed', invoicePayload(invoice));
    return isPaid;
  };

  const pay = (reference: string) => {
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
    bill(subscription, 'subscription_create', { amount, at: now });
    tell('customer.subscription.created', subscriptionPayload(subscription));
    tell('checkout.session.completed', sessionPayload(session));
  };

  /** A schedule rules its subscription to the end of its last phase, not to the beginning of it. */
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

  const renew = (subscription: FakeSubscription) => {
    const at = subscription.periodEnd;
    if (subscription.isCancelled) {
      subscription.status = 'canceled';
      return tell('customer.subscription.deleted', subscriptionPayload(subscription));
    }
    takePhase(subscription, at);
    subscription.periodStart = at;
    subscription.periodEnd = periodEnd(at, subscription.price);
    const { amount } = subscription.price;
    const isPaid = bill(subscription, 'subscription_cycle', { amount, at });
    subscription.status = isPaid ? 'active' : 'past_due';
    return tell('customer.subscription.updated', subscriptionPayload(subscription));
  };

  const passTo = (time: number) => {
    for (const session of sessions)
      if (session.status === 'open' && time >= session.createdAt + DAY) session.status = 'expired';
    for (const subscription of subscriptions)
      while (subscription.status !== 'canceled' && subscription.periodEnd <= time)
        renew(subscription);
  };

  const createSession = (form: URLSearchParams): FakeAnswer => {
    const price = findPrice(form.get('line_items[0][price]'));
    if (!price || form.get('mode') !== 'subscription') return missing;
    const coupon = form.get('discounts[0][coupon]');
    const amount = price.amount - (coupon ? (coupons.get(coupon) ?? 0) : 0);
    const days = Number(form.get('subscription_data[trial_period_days]') ?? 0);
    const trialEnd = Number(form.get('subscription_data[trial_end]') ?? 0) * 1000;
    if (trialEnd > 0 && trialEnd < clock.now() + 2 * DAY)
      return refuse(400, 'parameter_invalid', 'The trial must end at least 2 days from now.');
    const session: Wish = {
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

  const updateSchedule = (schedule: FakeSchedule, form: URLSearchParams): FakeAnswer => {
    const subscription = findSubscription(schedule.subscription);
    const read = (name: string) => form.get(name) ?? '';
    const first = findPrice(read('phases[0][items][0][price]'));
    const second = findPrice(read('phases[1][items][0][price]'));
    const startsAt = Number(read('phases[0][end_date]')) * 1000;
    const isRight = read('end_behavior') === 'release' && read('proration_behavior') === 'none';
    if (!subscription || !first || !second || !startsAt || !isRight)
      return refuse(400, 'parameter_invalid', 'The phases make no sense.');
    const { startsAt: begunAt } = schedule.current;
    if (read('phases[0][start_date]') !== String(Math.floor(begunAt / 1000)))
      return refuse(
        400,
        'parameter_invalid',
        'You can not modify the start date of the current phase.',
      );
    if (first !== subscription.price)
      return refuse(400, 'parameter_invalid', 'Another price in the current phase is charged now.');
    // Phases that are over may be left out, and are kept.
    const over = schedule.phases.filter(({ endsAt }) => endsAt <= begunAt);
    schedule.current = { price: first, startsAt: begunAt, endsAt: startsAt };
    const next = { price: second, startsAt, endsAt: periodEnd(startsAt, second) };
    schedule.phases = [...over, schedule.current, next];
    tell('subscription_schedule.updated', schedulePayload(schedule));
    return ok(schedulePayload(schedule));
  };

  const createSchedule = (form: URLSearchParams): FakeAnswer => {
    const subscription = findSubscription(form.get('from_subscription') ?? '');
    if (!subscription) return missing;
    if (subscription.schedule)
      return refuse(400, 'invalid_request', 'The subscription has a schedule already.');
    const { price, customer, periodStart: startsAt, periodEnd: endsAt } = subscription;
    const current = { price, startsAt, endsAt };
    const schedule: FakeSchedule = {
      id: newId('sub_sched'),
      status: 'active',
      subscription: subscription.id,
      customer,
      phases: [current],
      current,
    };
    schedules.push(schedule);
    subscription.schedule = schedule;
    return ok(schedulePayload(schedule));
  };

  const createRefund = (form: URLSearchParams): FakeAnswer => {
    const charge = charges.find(({ id }) => id === form.get('charge'));
    const amount = Number(form.get('amount'));
    if (!charge?.isPaid) return missing;
    if (charge.refunded + amount > charge.amount)
      return refuse(400, 'charge_already_refunded', 'The refund is more than what is left.');
    charge.refunded += amount;
    const key = form.get('metadata[key]') ?? '';
    const refund = { id: newId('re'), charge: charge.id, amount, key };
    refunds.push(refund);
    tell('charge.refunded', chargePayload(charge));
    return ok(refundPayload(refund));
  };

  const updateSubscription = (subscription: FakeSubscription, form: URLSearchParams) => {
    if (subscription.schedule)
      return refuse(400, 'invalid_request', 'The subscription is managed by its schedule.');
    subscription.isCancelled = form.get('cancel_at_period_end') === 'true';
    tell('customer.subscription.updated', subscriptionPayload(subscription));
    return ok(subscriptionPayload(subscription));
  };

  const release = (schedule: FakeSchedule): FakeAnswer => {
    const subscription = findSubscription(schedule.subscription);
    if (subscription) subscription.schedule = null;
    schedule.status = 'released';
    return ok(schedulePayload(schedule));
  };

  const createCoupon = (form: URLSearchParams): FakeAnswer => {
    const id = form.get('id') ?? '';
    if (coupons.has(id)) return refuse(400, 'resource_already_exists', 'The coupon exists.');
    coupons.set(id, Number(form.get('amount_off')));
    return ok({ id, object: 'coupon' });
  };

  const write = (path: string, form: URLSearchParams): FakeAnswer => {
    const [, , kind = '', id = '', action = ''] = path.split('/');
    if (path === '/v1/checkout/sessions') return createSession(form);
    if (path === '/v1/coupons') return createCoupon(form);
    if (path === '/v1/refunds') return createRefund(form);
    if (path === '/v1/subscription_schedules') return createSchedule(form);
    if (path === '/v1/billing_portal/sessions')
      return ok({ id: newId('bps'), url: `https://billing.stripe.com/p/session/${lastId}` });
    const subscription = kind === 'subscriptions' ? findSubscription(id) : undefined;
    if (subscription) return updateSubscription(subscription, form);
    const schedule = schedules.find((found) => found.id === id);
    if (!schedule) return missing;
    return action === 'release' ? release(schedule) : updateSchedule(schedule, form);
  };

  const find = (path: string): FakeAnswer => {
    const id = path.split('/').at(-1) ?? '';
    const price = findPrice(id);
    const subscription = findSubscription(id);
    const session = sessions.find((found) => found.id === id);
    if (price) return ok(pricePayload(price));
    if (subscription) return ok(subscriptionPayload(subscription));
    return session ? ok(sessionPayload(session)) : missing;
  };

  const read = (path: string, query: URLSearchParams): FakeAnswer => {
    const newest = <T>(items: readonly T[], show: (item: T) => unknown) =>
      ok(listPayload(items.toReversed().map(show)));
    const customer = query.get('customer');
    switch (path) {
      case '/v1/checkout/sessions': {
        const since = Number(query.get('created[gte]') ?? 0) * 1000;
        return newest(
          sessions.filter(({ createdAt }) => createdAt >= since),
          sessionPayload,
        );
      }
      case '/v1/subscriptions':
        return newest(
          subscriptions.filter((found) => found.customer === customer),
          subscriptionPayload,
        );
      case '/v1/subscriptions/search': {
        const reference = /:'([^']*)'$/.exec(query.get('query') ?? '')?.[1];
        return newest(
          subscriptions.filter((found) => found.reference === reference),
          subscriptionPayload,
        );
      }
      case '/v1/invoices':
        return newest(
          invoices.filter((found) => found.subscription === query.get('subscription')),
          invoicePayload,
        );
      case '/v1/charges':
        return newest(
          charges.filter((found) => found.customer === customer),
          chargePayload,
        );
      case '/v1/disputes':
        return newest(
          charges.filter(({ id, isDisputed }) => isDisputed && id === query.get('charge')),
          disputePayload,
        );
      case '/v1/refunds':
        return newest(
          refunds.filter(({ charge }) => charge === query.get('charge')),
          refundPayload,
        );
      default:
        return find(path);
    }
  };

  /** A key that came before gets the answer that it got, and none with another wish. */
  const answerOnce = (key: string, { path, body }: FakeRequest): FakeAnswer => {
    const before = answered.get(key);
    if (before)
      return before.body === body
        ? before.answer
        : { status: 400, json: { error: { type: 'idempotency_error', message: 'Another wish.' } } };
    const answer = write(path, new URLSearchParams(body));
    answered.set(key, { body, answer });
    return answer;
  };

  const answer = (request: FakeRequest): FakeAnswer => {
    const { method, path, query, body, headers } = request;
    if (headers.authorization !== `Bearer ${STRIPE_KEY}`)
      return { status: 401, json: { error: { type: 'invalid_request_error', message: 'Key?' } } };
    if (method === 'GET') return read(path, query);
    const key = headers['idempotency-key'];
    return typeof key === 'string'
      ? answerOnce(key, request)
      : write(path, new URLSearchParams(body));
  };

  const server = await startFakeServer({
    refusal: refuse(400, 'parameter_invalid', 'This is refused.'),
    answer,
  });
  return {
    ...server,
    prices,
    subscriptions,
    coupons,
    pay,
    emptyAccount: (id) => emptied.add(id),
    dispute: (id) => {
      const charge = charges.find((found) => found.id === id);
      if (!charge) throw new Error(`Stripe has no charge ${id}.`);
      charge.isDisputed = true;
      tell('charge.dispute.created', disputePayload(charge));
    },
    passTo,
    // Signed when they are sent: the signature has a time that runs out.
    takeWebhooks: () => told.splice(0).map(sign),
    sign,
  };
}
