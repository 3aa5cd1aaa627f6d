import type { PlanIds } from '../../../payments-settings.ts';
import { createCalendar } from '../calendar.ts';
import {
  PaymentsError,
  type AgreementTruth,
  type CheckoutRequest,
  type CheckoutTruth,
  type Payments,
} from '../payments.ts';
import { createPaystackApi, PaystackRefusal, type PaystackApi } from './api.ts';
import { assignCharges } from './assign-charges.ts';
import { planCheckout } from './checkout.ts';
import { agreementStatus, presentAgreement, presentCharge, sumMoneyBack } from './present.ts';
import {
  CreatedSubscription,
  Customer,
  Dispute,
  Done,
  InitializedTransaction,
  ManageLink,
  PaystackPlan,
  Refund,
  Subscription,
  Transaction,
} from './shapes.ts';
import { parsePaystackWebhook } from './webhook.ts';

const TIMEOUT_MS = 15_000;
const DAY = 24 * 60 * 60 * 1000;
/** How many addresses of begun payments are remembered for whoever asks again. */
const REMEMBERED = 1000;

export type PaystackSettings = { api: string; secretKey: string; plans: PlanIds };
type Started = { url: string; checkoutId: string };
type Parts = { clock: { now: () => number }; timeoutMs?: number };

const refuse = (message: string) => new PaymentsError(message, { isLasting: true });
const path = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`;

const fetchSubscription = (api: PaystackApi, code: string) =>
  api.get(path('subscription', code), Subscription);

const listSubscriptions = (api: PaystackApi, customer: number) =>
  api.list('/subscription', { customer }, Subscription);

/** What went back of these payments, in as few questions as there can be. */
async function readMoneyBack(api: PaystackApi, transactions: readonly Transaction[]) {
  const paid = transactions.filter(({ status }) => status === 'success');
  const [only] = paid;
  if (!only) return sumMoneyBack([], []);
  const oldest = Math.min(...paid.map(({ created_at }) => created_at));
  const query =
    paid.length === 1 ? { transaction: only.id } : { from: new Date(oldest).toISOString() };
  const [refunds, disputes] = await Promise.all([
    api.list('/refund', query, Refund),
    api.list('/dispute', query, Dispute),
  ]);
  return sumMoneyBack(refunds, disputes);
}

async function readCustomer(
  api: PaystackApi,
  plans: PlanIds,
  customer: number,
): Promise<AgreementTruth[]> {
  const [subscriptions, transactions] = await Promise.all([
    listSubscriptions(api, customer),
    api.list('/transaction', { customer }, Transaction),
  ]);
  const ours = transactions.filter(
    ({ plan, metadata }) => metadata?.purpose !== 'card-check' && (plan ?? metadata) !== null,
  );
  const moneyBack = await readMoneyBack(api, ours);
  return assignCharges(
    subscriptions.map((subscription) => ({
      agreement: presentAgreement(plans, subscription),
      createdAt: subscription.createdAt,
    })),
    ours.map((transaction) => presentCharge(plans, transaction, moneyBack)),
  );
}

/** The subscription that a paid checkout began; made here where Paystack does not make it itself. */
async function findOrCreate(api: PaystackApi, plans: PlanIds, transaction: Transaction) {
  const { metadata, customer, authorization } = transaction;
  if (!metadata) return null;
  const find = async () =>
    (await listSubscriptions(api, customer.id))
      .filter(({ plan, createdAt }) => {
        const isSince = createdAt >= transaction.created_at - 60_000;
        return plan === plans[metadata.plan] && isSince;
      })
      .at(-1)?.subscription_code ?? null;
  const found = await find();
  if (found !== null || metadata.purpose === 'subscription') return found;
  const wish = {
    customer: customer.customer_code,
    plan: plans[metadata.plan],
    authorization: authorization?.authorization_code ?? undefined,
    start_date: new Date(metadata.starts_at).toISOString(),
  };
  try {
    return (await api.post('/subscription', wish, CreatedSubscription)).subscription_code;
  } catch (error) {
    // Whoever asked at the same moment was quicker.
    const created = error instanceof PaystackRefusal ? await find() : null;
    if (created) return created;
    throw error;
  }
}

async function refundOnce(
  api: PaystackApi,
  transaction: Transaction,
  { amount, key }: { amount: number; key: string },
) {
  const made = await api.list('/refund', { transaction: transaction.id }, Refund);
  if (made.some((refund) => refund.merchant_note === key && refund.status !== 'failed')) return;
  const wish = { transaction: transaction.reference, amount, merchant_note: key };
  await api.post('/refund', wish, Done);
}

const unknown: CheckoutTruth = {
  state: 'unknown',
  agreementId: null,
  customerId: null,
  charge: null,
};

export function createPaystackPayments(
  { api: address, secretKey, plans }: PaystackSettings,
  { clock, timeoutMs = TIMEOUT_MS }: Parts,
): Payments {
  const api = createPaystackApi({ api: address, secretKey, timeoutMs });
  const calendar = createCalendar();
  const begun = new Map<string, Promise<Started>>();

  const verify = (reference: string) =>
    api.get(path('transaction', 'verify', reference), Transaction);
  const disable = ({ subscription_code: code, email_token: token }: Subscription) =>
    api.post('/subscription/disable', { code, token }, Done);

  /** Nobody is charged another price than the one they were shown. */
  async function checkPrice(
    code: string,
    { amount, currency }: { amount: number; currency: string },
  ) {
    const plan = await api.get(path('plan', code), PaystackPlan);
    if (plan.amount !== amount || plan.currency !== currency)
      throw refuse(
        `The plan ${code} costs ${plan.amount} cents ${plan.currency} at Paystack, and ${amount} cents ${currency} here: make them equal.`,
      );
  }

  async function initialize(request: CheckoutRequest): Promise<Started> {
    const { reference, email, currency, plan } = request;
    const now = clock.now();
    const checkout = planCheckout(request, { now, periodEnd: calendar.addPeriod(now, plan) });
    await checkPrice(plans[plan], { amount: request.renewalAmount, currency });
    const { authorization_url: url } = await api.post(
      '/transaction/initialize',
      {
        reference,
        email,
        amount: checkout.amount,
        currency,
        // Only a card can be charged again.
        channels: ['card'],
        callback_url: request.successUrl,
        metadata: { ...checkout.metadata, cancel_action: request.cancelUrl },
        ...(checkout.hasPlan && { plan: plans[plan] }),
      },
      InitializedTransaction,
    );
    // Paystack takes a reference once and never says its page again: the address is what is kept.
    return { url, checkoutId: url };
  }

  /** Whoever asks at the same moment gets the same page. */
  function initializeOnce(request: CheckoutRequest): Promise<Started> {
    const { reference } = request;
    const earlier = begun.get(reference);
    if (earlier) return earlier;
    const started = initialize(request);
    const [oldest] = begun.keys();
    if (begun.size >= REMEMBERED && oldest !== undefined) begun.delete(oldest);
    begun.set(reference, started);
    started.catch(() => begun.delete(reference));
    return started;
  }

  return {
    name: 'paystack',
    calendar,
    startCheckout: async (request) => {
      const { checkoutId } = request;
      return checkoutId ? { url: checkoutId, checkoutId } : initializeOnce(request);
    },
    readCheckout: async (reference) => {
      let transaction: Transaction;
      try {
        transaction = await verify(reference);
      } catch (error) {
        if (error instanceof PaystackRefusal && [400, 404].includes(error.status)) return unknown;
        throw error;
      }
      const { metadata, customer, status, created_at: createdAt } = transaction;
      const charge = presentCharge(plans, transaction, await readMoneyBack(api, [transaction]));
      const isCheck = metadata?.purpose === 'card-check';
      const customerId = customer.customer_code;
      if (charge.status !== 'paid') {
        // Another card can be tried on the same page, for as long as it is open.
        const state =
          clock.now() < createdAt + DAY || charge.status === 'pending' ? 'open' : 'failed';
        const isTried = status !== 'abandoned' && !isCheck;
        return { state, agreementId: null, customerId, charge: isTried ? charge : null };
      }
      const agreementId = await findOrCreate(api, plans, transaction);
      if (isCheck)
        await refundOnce(api, transaction, {
          amount: transaction.amount,
          key: `check-${reference}`,
        });
      const owned = { ...charge, agreementId };
      return { state: 'paid', agreementId, customerId, charge: isCheck ? null : owned };
    },
    readAgreement: async (id) => {
      const { customer } = await fetchSubscription(api, id);
      const truths = await readCustomer(api, plans, customer.id);
      const truth = truths.find(({ agreement }) => agreement.id === id);
      if (!truth)
        throw new PaymentsError('Paystack does not list a subscription that it knows.', {
          isLasting: false,
        });
      return truth;
    },
    listAgreements: async (customerId) => {
      const { id } = await api.get(path('customer', customerId), Customer);
      return readCustomer(api, plans, id);
    },
    cancelAtPeriodEnd: async (id) => {
      const subscription = await fetchSubscription(api, id);
      if (['active', 'late'].includes(agreementStatus(subscription))) await disable(subscription);
    },
    resume: async (id) => {
      const subscription = await fetchSubscription(api, id);
      const status = agreementStatus(subscription);
      if (status === 'ended') throw refuse('The agreement has ended: a new one is needed.');
      const { subscription_code: code, email_token: token } = subscription;
      if (status === 'ending') await api.post('/subscription/enable', { code, token }, Done);
    },
    changePlan: async ({ agreementId, plan, startsAt }) => {
      const current = await fetchSubscription(api, agreementId);
      const status = agreementStatus(current);
      if (status === 'ended') throw refuse('The agreement has ended: a new one is needed.');
      const code = plans[plan];
      if (current.plan === code) {
        const { subscription_code, email_token: token } = current;
        if (status === 'ending')
          await api.post('/subscription/enable', { code: subscription_code, token }, Done);
        return { agreementId };
      }
      // A first try may have stopped between the two steps.
      const made = (await listSubscriptions(api, current.customer.id)).find(
        (subscription) => subscription.plan === code && agreementStatus(subscription) === 'active',
      );
      const next =
        made ??
        (await api.post(
          '/subscription',
          {
            customer: current.customer.customer_code,
            plan: code,
            authorization: current.authorization?.authorization_code ?? undefined,
            start_date: new Date(Math.max(startsAt, clock.now())).toISOString(),
          },
          CreatedSubscription,
        ));
      if (status !== 'ending') await disable(current);
      return { agreementId: next.subscription_code };
    },
    // Paystack's page has no way back of its own.
    cardUpdateUrl: async (id) =>
      (await api.get(`${path('subscription', id)}/manage/link`, ManageLink)).link,
    refund: async ({ chargeId, amount, key }) =>
      refundOnce(api, await verify(chargeId), { amount, key }),
    parseWebhook: async (headers, rawBody) =>
      parsePaystackWebhook({ secretKey, plans }, headers, rawBody),
  };
}
