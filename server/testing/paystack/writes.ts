import { z } from 'zod';
import type { FakeAnswer } from '../fake-http.ts';
import {
  authorization,
  authorizationCode,
  fetchedPayload,
  isReusable,
  refundPayload,
  subscriptionPayload,
  type FakeCustomer,
} from '../paystack-payloads.ts';
import { ok, refuse, type PaystackAccount } from './account.ts';
import { addRefund, addSubscription, addTransaction } from './charging.ts';

const Reference = z.string().regex(/^[\w.=-]+$/);
const Initialize = z.object({
  reference: Reference,
  email: z.email(),
  amount: z.int().min(100),
  currency: z.literal('ZAR'),
  callback_url: z.url(),
  channels: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  plan: z.string().optional(),
});
const ChargeAuthorization = z.object({
  reference: Reference,
  authorization_code: z.string(),
  email: z.email(),
  amount: z.int().min(100),
  currency: z.literal('ZAR'),
  metadata: z.record(z.string(), z.unknown()),
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

const DUPLICATE = refuse(400, 'Duplicate Transaction Reference', 'duplicate_reference');
const NOT_REUSABLE = refuse(400, 'The authorization is not reusable', 'invalid_authorization');

/** The card that an authorization stands for. */
const findCard = (customer: FakeCustomer, code: string): string =>
  code.slice(authorizationCode(customer, '').length);

function initialize(account: PaystackAccount, body: unknown): FakeAnswer {
  const request = Initialize.parse(body);
  if (account.findTransaction(request.reference)) return DUPLICATE;
  const plan = request.plan ? (account.plans[request.plan] ?? null) : null;
  if (request.plan && !plan) return refuse(404, 'Plan not found');
  const id = account.nextId();
  account.transactions.push({
    id,
    reference: request.reference,
    status: 'abandoned',
    // The plan's price applies, whatever the request says.
    amount: plan?.amount ?? request.amount,
    gateway_response: 'The transaction was not completed',
    metadata: request.metadata,
    paidAt: null,
    createdAt: account.clock.now(),
    customer: account.findOrAddCustomer(request.email),
    plan,
    callbackUrl: request.callback_url,
  });
  const access_code = `access_${id}`;
  const authorization_url = `https://checkout.paystack.com/${access_code}`;
  return ok({ authorization_url, access_code, reference: request.reference });
}

function chargeAuthorization(account: PaystackAccount, body: unknown): FakeAnswer {
  const request = ChargeAuthorization.parse(body);
  if (account.findTransaction(request.reference)) return DUPLICATE;
  const customer = account.customers.find(({ email }) => email === request.email);
  if (!customer) return refuse(404, 'Customer not found');
  const card = findCard(customer, request.authorization_code);
  if (!isReusable(card)) return NOT_REUSABLE;
  const made = addTransaction(account, {
    reference: request.reference,
    status: account.isEmptied({ customer, card }) ? 'failed' : 'success',
    amount: request.amount,
    metadata: request.metadata,
    createdAt: account.clock.now(),
    customer,
    plan: null,
    card,
  });
  return ok({ ...fetchedPayload(made), plan: null }, 'Charge attempted');
}

function createSubscription(account: PaystackAccount, body: unknown): FakeAnswer {
  const request = CreateSubscription.parse(body);
  const customer = account.customers.find(
    ({ customer_code }) => customer_code === request.customer,
  );
  const plan = account.plans[request.plan];
  if (!customer || !plan) return refuse(404, 'Customer or plan not found');
  const isThere = account.subscriptions.some(
    (found) => found.customer === customer && found.plan === plan && found.status === 'active',
  );
  if (isThere)
    return refuse(400, 'This subscription is already in place.', 'duplicate_subscription');
  const card = findCard(customer, request.authorization);
  if (!isReusable(card)) return NOT_REUSABLE;
  const startsAt = Date.parse(request.start_date ?? '') || account.clock.now();
  const made = addSubscription(account, { customer, card }, plan, startsAt);
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
}

function disable(account: PaystackAccount, body: unknown): FakeAnswer {
  const { code, token } = Toggle.parse(body);
  const subscription = account.findSubscription(code);
  const isRunning = ['active', 'attention'].includes(subscription?.status ?? '');
  if (!subscription || token !== `token_${subscription.id}` || !isRunning)
    return refuse(404, 'Subscription with code not found or already inactive');
  subscription.status = 'non-renewing';
  account.queueEvent('subscription.not_renew', subscriptionPayload(subscription));
  return ok(undefined, 'Subscription disabled successfully');
}

/** A subscription that was turned off stays off. */
function enable(account: PaystackAccount, body: unknown): FakeAnswer {
  const { code, token } = Toggle.parse(body);
  const subscription = account.findSubscription(code);
  if (!subscription || token !== `token_${subscription.id}`)
    return refuse(404, 'Subscription with code not found or already active');
  return refuse(400, `Subscription with code ${code} cannot be reactivated`);
}

function createRefund(account: PaystackAccount, body: unknown): FakeAnswer {
  const { transaction: reference, amount, merchant_note: note } = CreateRefund.parse(body);
  const transaction = account.findTransaction(reference);
  if (transaction?.status !== 'success') return refuse(404, 'Transaction not found');
  const before = account.refunds
    .filter((refund) => refund.transaction === transaction.id && refund.status !== 'failed')
    .reduce((sum, refund) => sum + refund.amount, 0);
  if (before + amount > transaction.amount)
    return refuse(400, 'Refund amount cannot be more than transaction amount');
  const refund = addRefund(account, transaction, { amount, note });
  return ok({ ...refundPayload(refund), transaction: fetchedPayload(transaction) });
}

const WRITES: Record<string, (account: PaystackAccount, body: unknown) => FakeAnswer> = {
  '/transaction/initialize': initialize,
  '/transaction/charge_authorization': chargeAuthorization,
  '/subscription': createSubscription,
  '/subscription/disable': disable,
  '/subscription/enable': enable,
  '/refund': createRefund,
};

export const write = (account: PaystackAccount, path: string, body: string): FakeAnswer =>
  WRITES[path]?.(account, JSON.parse(body)) ?? refuse(404, 'Not found');
