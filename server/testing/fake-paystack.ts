import { z } from 'zod';
import type { Plan } from '#contract/rules/plans.ts';
import type { PlanIds } from '../payments-settings.ts';
import { createCalendar } from '../ports/payments/calendar.ts';
import { SIGNATURE_HEADER, signPaystack } from '../ports/payments/paystack/webhook.ts';
import {
  startFakeServer,
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
} from './fake-http.ts';
import type { Delivery } from './payments-contract/subject.ts';
import {
  authorization,
  customerPayload,
  disputePayload,
  invoiceEventPayload,
  listedPayload,
  planPayload,
  refundEventPayload,
  refundPayload,
  subscriptionPayload,
  verifiedPayload,
  type FakeCustomer,
  type FakePlan,
  type FakeRefund,
  type FakeSubscription,
  type FakeTransaction,
} from './paystack-payloads.ts';

export const PAYSTACK_KEY = 'sk_test_fake0123456789';
export const PAYSTACK_PLANS: PlanIds = { monthly: ['PLN_monthly'], annual: ['PLN_annual'] };

export type FakePaystack = FakeServer & {
  plans: Record<string, FakePlan>;
  subscriptions: FakeSubscription[];
  pay: (reference: string, card?: string) => void;
  updateCard: (subscriptionCode: string, card: string) => void;
  decline: (reference: string) => void;
  emptyAccount: (subscriptionCode: string) => void;
  dispute: (reference: string) => void;
  /** Adds this many refunds of other customers. */
  refundOthers: (count: number) => void;
  /** The maximum page size, whatever the request says. */
  shortenPages: (most: number) => void;
  passTo: (time: number) => void;
  drainWebhooks: () => Delivery[];
  sign: (body: string) => Delivery;
};

const Initialize = z.object({
  reference: z.string().regex(/^[\w.=-]+$/),
  email: z.email(),
  amount: z.int().min(100),
  currency: z.literal('ZAR'),
  callback_url: z.url(),
  channels: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  plan: z.string().optional(),
});
const CreateSubscription = z.object({
  customer: z.string(),
  plan: z.string(),
  authorization: z.string(),
  start_date: z.iso.datetime().optional(),
});
const Toggle = z.object({ code: z.string(), token: z.string() });
const CreateRefund = z.object({
  transaction: z.string(),
  amount: z.int().min(1),
  merchant_note: z.string(),
});

const ok = (data: unknown, message = 'OK'): FakeAnswer => ({
  status: 200,
  json: { status: true, message, ...(data === undefined ? {} : { data }) },
});
const refuse = (status: number, message: string, code = ''): FakeAnswer => ({
  status,
  json: { status: false, message, ...(code && { type: 'validation_error', code, meta: {} }) },
});

/** The part of Paystack that we use, with its state in memory and the test's clock. */
export async function startFakePaystack(clock: { now: () => number }): Promise<FakePaystack> {
  const { addPeriod } = createCalendar();
  let lastId = 1000;
  const nextId = () => (lastId += 1);
  const plans: Record<string, FakePlan> = {
    PLN_monthly: { id: 28, plan_code: 'PLN_monthly', amount: 7900, interval: 'monthly' },
    PLN_annual: { id: 29, plan_code: 'PLN_annual', amount: 79_000, interval: 'annually' },
  };
  const customers: FakeCustomer[] = [];
  const transactions: FakeTransaction[] = [];
  const subscriptions: FakeSubscription[] = [];
  const refunds: FakeRefund[] = [];
  const disputes: { id: number; transaction: FakeTransaction }[] = [];
  const emptied = new Set<number>();
  let mostPerPage = 100;
  const undelivered: Delivery[] = [];

  const sign = (body: string): Delivery => {
    const rawBody = Buffer.from(body);
    const headers = {
      'content-type': 'application/json',
      [SIGNATURE_HEADER]: signPaystack(PAYSTACK_KEY, rawBody),
    };
    return { headers, rawBody };
  };
  const queueEvent = (event: string, data: unknown) =>
    undelivered.push(sign(JSON.stringify({ event, data })));

  const periodOf = (plan: FakePlan): Plan => (plan.interval === 'monthly' ? 'monthly' : 'annual');
  const findTransaction = (reference: string) =>
    transactions.find((found) => found.reference === reference);
  const findSubscription = (code: string) =>
    subscriptions.find((found) => found.subscription_code === code);

  const findCustomer = (email: string) => {
    const found = customers.find((customer) => customer.email === email);
    if (found) return found;
    const id = nextId();
    const customer = { id, email, customer_code: `CUS_${id}` };
    customers.push(customer);
    return customer;
  };

  const addSubscription = (
    { customer, card = 'first' }: Pick<FakeSubscription, 'customer' | 'card'>,
    plan: FakePlan,
    nextAt: number,
  ) => {
    const id = nextId();
    const subscription_code = `SUB_${id}`;
    const createdAt = clock.now();
    const own = { id, subscription_code, customer, card };
    const made = { ...own, status: 'active', plan, nextAt, createdAt };
    subscriptions.push(made);
    queueEvent('subscription.create', subscriptionPayload(made));
    return made;
  };

  const pay = (reference: string, card = 'first') => {
    const transaction = findTransaction(reference);
    if (!transaction) throw new Error(`Paystack has no page for ${reference}.`);
    if (transaction.status === 'success') return;
    Object.assign(transaction, {
      status: 'success',
      gateway_response: 'Successful',
      paidAt: clock.now(),
      card,
    });
    queueEvent('charge.success', listedPayload(transaction));
    const { plan, customer } = transaction;
    if (plan) addSubscription({ customer, card }, plan, addPeriod(clock.now(), periodOf(plan)));
  };

  const decline = (reference: string) => {
    const transaction = findTransaction(reference);
    if (transaction)
      Object.assign(transaction, { status: 'failed', gateway_response: 'Insufficient Funds' });
  };

  /** Charges or ends a subscription that is due. */
  const renew = (subscription: FakeSubscription, at: number) => {
    const { customer, plan } = subscription;
    if (subscription.status === 'non-renewing') {
      Object.assign(subscription, { status: 'cancelled', nextAt: null });
      return queueEvent('subscription.disable', subscriptionPayload(subscription));
    }
    const isEmpty = emptied.has(customer.id);
    const id = nextId();
    const transaction = {
      id,
      reference: `paystack-${id}`,
      status: isEmpty ? 'failed' : 'success',
      amount: plan.amount,
      gateway_response: isEmpty ? 'Insufficient Funds' : 'Approved',
      metadata: { invoice_action: 'create' },
      paidAt: isEmpty ? null : at,
      createdAt: at,
      customer,
      plan,
      ...(subscription.card && { card: subscription.card }),
    };
    transactions.push(transaction);
    subscription.status = isEmpty ? 'attention' : 'active';
    subscription.nextAt = addPeriod(at, periodOf(plan));
    if (isEmpty) return queueEvent('invoice.payment_failed', invoiceEventPayload(subscription, at));
    return queueEvent('charge.success', listedPayload(transaction));
  };

  const passTo = (time: number) => {
    for (const subscription of subscriptions)
      while (subscription.nextAt !== null && subscription.nextAt <= time)
        renew(subscription, subscription.nextAt);
  };

  const initialize = (body: unknown): FakeAnswer => {
    const request = Initialize.parse(body);
    if (findTransaction(request.reference))
      return refuse(400, 'Duplicate Transaction Reference', 'duplicate_reference');
    const plan = request.plan ? (plans[request.plan] ?? null) : null;
    if (request.plan && !plan) return refuse(404, 'Plan not found');
    transactions.push({
      id: nextId(),
      reference: request.reference,
      status: 'abandoned',
      // The plan's price applies, whatever the request says.
      amount: plan?.amount ?? request.amount,
      gateway_response: 'The transaction was not completed',
      metadata: request.metadata,
      paidAt: null,
      createdAt: clock.now(),
      customer: findCustomer(request.email),
      plan,
    });
    const access_code = `access_${lastId}`;
    const authorization_url = `https://checkout.paystack.com/${access_code}`;
    return ok({ authorization_url, access_code, reference: request.reference });
  };

  const createSubscription = (body: unknown): FakeAnswer => {
    const request = CreateSubscription.parse(body);
    const customer = customers.find(({ customer_code }) => customer_code === request.customer);
    const plan = plans[request.plan];
    if (!customer || !plan) return refuse(404, 'Customer or plan not found');
    const isThere = subscriptions.some(
      (found) => found.customer === customer && found.plan === plan && found.status === 'active',
    );
    if (isThere)
      return refuse(400, 'This subscription is already in place.', 'duplicate_subscription');
    const startsAt = Date.parse(request.start_date ?? '') || clock.now();
    const card = request.authorization.slice(`AUTH_${customer.id}_`.length);
    const made = addSubscription({ customer, card }, plan, startsAt);
    return ok({
      customer: customer.id,
      plan: plan.id,
      integration: 100_032,
      domain: 'test',
      start: Math.floor(startsAt / 1000),
      status: 'active',
      quantity: 1,
      amount: plan.amount,
      authorization: authorization(customer, card),
      subscription_code: made.subscription_code,
      email_token: `token_${made.id}`,
      id: made.id,
      createdAt: new Date(made.createdAt).toISOString(),
      updatedAt: new Date(made.createdAt).toISOString(),
    });
  };

  const toggle = (body: unknown, status: 'active' | 'non-renewing'): FakeAnswer => {
    const { code, token } = Toggle.parse(body);
    const subscription = findSubscription(code);
    if (!subscription || token !== `token_${subscription.id}` || subscription.nextAt === null)
      return refuse(404, 'Subscription with code not found or already inactive');
    subscription.status = status;
    if (status === 'non-renewing')
      queueEvent('subscription.not_renew', subscriptionPayload(subscription));
    return ok(undefined, 'Subscription updated successfully');
  };

  const createRefund = (body: unknown): FakeAnswer => {
    const request = CreateRefund.parse(body);
    const transaction = findTransaction(request.transaction);
    if (transaction?.status !== 'success') return refuse(404, 'Transaction not found');
    const before = refunds
      .filter((refund) => refund.transaction === transaction.id)
      .reduce((sum, { amount }) => sum + amount, 0);
    if (before + request.amount > transaction.amount)
      return refuse(400, 'Refund amount cannot be more than transaction amount');
    const refund = {
      id: nextId(),
      transaction: transaction.id,
      amount: request.amount,
      status: 'pending',
      merchant_note: request.merchant_note,
      createdAt: clock.now(),
    };
    refunds.push(refund);
    queueEvent('refund.pending', refundEventPayload(refund, transaction));
    return ok({ ...refundPayload(refund), transaction: listedPayload(transaction) });
  };

  /** Newest first, one page at a time. */
  const page = (query: URLSearchParams, items: readonly unknown[]): FakeAnswer => {
    const perPage = Math.min(Number(query.get('perPage') ?? 50), mostPerPage);
    const start = (Number(query.get('page') ?? 1) - 1) * perPage;
    const meta = { total: items.length, pageCount: Math.ceil(items.length / perPage) };
    const data = items.toReversed().slice(start, start + perPage);
    return { status: 200, json: { status: true, message: 'OK', data, meta } };
  };

  const ofTransaction = (query: URLSearchParams, id: number, at: number) => {
    const from = query.get('from');
    const wanted = query.get('transaction');
    return (!wanted || Number(wanted) === id) && (!from || at >= Date.parse(from));
  };

  const read = (path: string, query: URLSearchParams): FakeAnswer => {
    const [, kind = '', id = '', more = ''] = path.split('/').map(decodeURIComponent);
    const customer = Number(query.get('customer'));
    if (path === '/subscription')
      return page(
        query,
        subscriptions.filter((found) => found.customer.id === customer).map(subscriptionPayload),
      );
    if (path === '/transaction')
      return page(
        query,
        transactions.filter((found) => found.customer.id === customer).map(listedPayload),
      );
    if (path === '/refund')
      return page(
        query,
        refunds
          .filter(({ transaction, createdAt }) => ofTransaction(query, transaction, createdAt))
          .map(refundPayload),
      );
    if (path === '/dispute')
      return page(
        query,
        disputes
          .filter(({ transaction }) => ofTransaction(query, transaction.id, clock.now()))
          .map(disputePayload),
      );
    if (kind === 'transaction' && id === 'verify') {
      const transaction = findTransaction(more);
      return transaction
        ? ok(verifiedPayload(transaction), 'Verification successful')
        : refuse(400, 'Transaction reference not found.', 'transaction_not_found');
    }
    const subscription = kind === 'subscription' ? findSubscription(id) : undefined;
    if (subscription && more === 'manage')
      return ok({ link: `https://paystack.com/manage/subscriptions/${id}?subscription_token=x` });
    if (subscription) return ok(subscriptionPayload(subscription));
    const plan = kind === 'plan' ? plans[id] : undefined;
    if (plan) return ok(planPayload(plan));
    const found =
      kind === 'customer' ? customers.find(({ customer_code }) => customer_code === id) : undefined;
    return found ? ok(customerPayload(found)) : refuse(404, 'Not found');
  };

  const answer = ({ method, path, query, body, headers }: FakeRequest): FakeAnswer => {
    if (headers.authorization !== `Bearer ${PAYSTACK_KEY}`) return refuse(401, 'Invalid key');
    if (method === 'GET') return read(path, query);
    const request: unknown = JSON.parse(body);
    if (path === '/transaction/initialize') return initialize(request);
    if (path === '/subscription') return createSubscription(request);
    if (path === '/subscription/disable') return toggle(request, 'non-renewing');
    if (path === '/subscription/enable') return toggle(request, 'active');
    if (path === '/refund') return createRefund(request);
    return refuse(404, 'Not found');
  };

  const server = await startFakeServer({ refusal: refuse(400, 'This is refused.'), answer });
  return {
    ...server,
    plans,
    subscriptions,
    pay,
    updateCard: (code, card) => {
      const subscription = findSubscription(code);
      if (subscription) subscription.card = card;
    },
    decline,
    emptyAccount: (code) => {
      const subscription = findSubscription(code);
      if (subscription) emptied.add(subscription.customer.id);
    },
    dispute: (reference) => {
      const transaction = findTransaction(reference);
      if (!transaction) throw new Error(`Paystack has no payment ${reference}.`);
      const dispute = { id: nextId(), transaction };
      disputes.push(dispute);
      queueEvent('charge.dispute.create', disputePayload(dispute));
    },
    refundOthers: (count) => {
      const others = {
        amount: 100,
        status: 'processed',
        merchant_note: '',
        createdAt: clock.now(),
      };
      for (let i = 0; i < count; i += 1)
        refunds.push({ id: nextId(), transaction: -1 - i, ...others });
    },
    shortenPages: (most) => {
      mostPerPage = most;
    },
    passTo,
    drainWebhooks: () => undelivered.splice(0),
    sign,
  };
}
