import type { PlanIds } from '../../../payments-settings.ts';
import { createCalendar } from '../calendar.ts';
import {
  failure,
  refusal,
  unknownCheckout,
  type CheckoutRequest,
  type Payments,
} from '../payments.ts';
import { currentPlanId } from '../plan-ids.ts';
import { createPaystackApi, PaystackRefusal, type PaystackApi } from './api.ts';
import { presentCharge } from './present.ts';
import { findOrCreate, readCustomer, readReversals } from './read-customer.ts';
import {
  Customer,
  Done,
  InitializedTransaction,
  ManageLink,
  type OurMetadata,
  Refund,
  Transaction,
} from './shapes.ts';
import {
  changePlan,
  disable,
  enable,
  fetchSubscription,
  findPlanCode,
  path,
} from './subscriptions.ts';
import { parsePaystackWebhook } from './webhook.ts';
import { DAY } from '#contract/rules/time.ts';

const TIMEOUT_MS = 15_000;
/** How many checkout URLs are cached for repeated requests. */
const MAX_CACHED = 1000;

type PaystackSettings = { api: string; secretKey: string; plans: PlanIds };
type StartedCheckout = { url: string; checkoutId: string };
type Parts = { clock: { now: () => number }; timeoutMs?: number };

/** The smallest amount that Paystack accepts in this currency. It is refunded immediately. */
const CARD_CHECK_CENTS = 100;

type CheckoutPlan = {
  /** Paystack creates the subscription itself; otherwise we do once this is paid. */
  hasPlan: boolean;
  amount: number;
  metadata: OurMetadata;
};

/**
 * Paystack charges a plan at its full price and immediately. So a reduced first payment is a separate
 * one, and a card that pays later is checked with a small payment that is refunded.
 */
function planCheckout(
  request: CheckoutRequest,
  { now, periodEnd, code: plan_code }: { now: number; periodEnd: number; code: string },
): CheckoutPlan {
  const { plan, amount, renewalAmount, firstChargeAt } = request;
  const isLater = firstChargeAt > now;
  if (isLater && amount !== 0 && amount !== renewalAmount)
    throw refusal('Paystack can’t take a reduced payment later.');
  if (isLater || amount === 0) {
    const starts_at = isLater ? firstChargeAt : periodEnd;
    return {
      hasPlan: false,
      amount: CARD_CHECK_CENTS,
      metadata: { purpose: 'card-check', plan, plan_code, starts_at },
    };
  }
  const isFull = amount === renewalAmount;
  const purpose = isFull ? 'subscription' : 'first-payment';
  return { hasPlan: isFull, amount, metadata: { purpose, plan, plan_code, starts_at: periodEnd } };
}

async function refundOnce(
  api: PaystackApi,
  transaction: Transaction,
  { amount, key }: { amount: number; key: string },
) {
  const refunds = await api.list('/refund', { transaction: transaction.id }, Refund);
  if (refunds.some((refund) => refund.merchant_note === key && refund.status !== 'failed')) return;
  const request = { transaction: transaction.reference, amount, merchant_note: key };
  await api.post('/refund', request, Done);
}

export function createPaystackPayments(
  { api: address, secretKey, plans }: PaystackSettings,
  { clock, timeoutMs = TIMEOUT_MS }: Parts,
): Payments {
  const api = createPaystackApi({ api: address, secretKey, timeoutMs });
  const calendar = createCalendar();
  const reader = { api, plans, calendar };
  const cache = new Map<string, Promise<StartedCheckout>>();

  const verify = (reference: string) =>
    api.get(path('transaction', 'verify', reference), Transaction);

  async function initialize(request: CheckoutRequest): Promise<StartedCheckout> {
    const { reference, email, currency, plan } = request;
    const now = clock.now();
    const { renewalAmount } = request;
    const code = await findPlanCode(api, [currentPlanId(plans, plan)], {
      amount: renewalAmount,
      currency,
    });
    const periodEnd = calendar.addPeriod(now, plan);
    const checkout = planCheckout(request, { now, periodEnd, code });
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
        ...(checkout.hasPlan && { plan: code }),
      },
      InitializedTransaction,
    );
    // Paystack accepts a reference once and never returns its page again, so we store the URL.
    return { url, checkoutId: url };
  }

  /** Simultaneous requests get the same page. */
  function initializeOnce(request: CheckoutRequest): Promise<StartedCheckout> {
    const { reference } = request;
    const earlier = cache.get(reference);
    if (earlier) return earlier;
    const started = initialize(request);
    const [oldest] = cache.keys();
    if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    cache.set(reference, started);
    started.catch(() => cache.delete(reference));
    return started;
  }

  return {
    name: 'paystack',
    calendar,
    minimumAmount: CARD_CHECK_CENTS,
    startCheckout: async (request) => {
      const { checkoutId } = request;
      return checkoutId ? { url: checkoutId, checkoutId } : initializeOnce(request);
    },
    getCheckout: async (reference) => {
      let transaction: Transaction;
      try {
        transaction = await verify(reference);
      } catch (error) {
        if (error instanceof PaystackRefusal && [400, 404].includes(error.status))
          return unknownCheckout;
        throw error;
      }
      const { metadata, customer, status, created_at: createdAt } = transaction;
      const charge = presentCharge(plans, transaction, await readReversals(api, [transaction]));
      const isCardCheck = metadata?.purpose === 'card-check';
      const customerId = customer.customer_code;
      if (charge.status !== 'paid') {
        // The user can try another card while the page is open.
        const state =
          clock.now() < createdAt + DAY || charge.status === 'pending' ? 'open' : 'failed';
        const wasTried = status !== 'abandoned' && !isCardCheck;
        return {
          state,
          providerSubscriptionId: null,
          customerId,
          charge: wasTried ? charge : null,
          cardFingerprint: null,
        };
      }
      const providerSubscriptionId = await findOrCreate(reader, transaction);
      if (isCardCheck)
        await refundOnce(api, transaction, {
          amount: transaction.amount,
          key: `check-${reference}`,
        });
      const owned = { ...charge, providerSubscriptionId };
      return {
        state: 'paid',
        providerSubscriptionId,
        customerId,
        charge: isCardCheck ? null : owned,
        cardFingerprint: null,
      };
    },
    finishCheckout: async () => ({ providerSubscriptionId: null }),
    getProviderSubscription: async (id) => {
      const { customer } = await fetchSubscription(api, id);
      const states = await readCustomer(reader, customer.id);
      const state = states.find(({ providerSubscription }) => providerSubscription.id === id);
      if (!state) throw failure('Paystack’s list is missing a subscription that exists.');
      return state;
    },
    listProviderSubscriptions: async (customerId) => {
      const { id } = await api.get(path('customer', customerId), Customer);
      return readCustomer(reader, id);
    },
    cancelAtPeriodEnd: async (id) => disable(api, await fetchSubscription(api, id)),
    endNow: async (id) => disable(api, await fetchSubscription(api, id)),
    resume: async ({ providerSubscriptionId: id }) => {
      await enable(api, await fetchSubscription(api, id));
      return { providerSubscriptionId: id };
    },
    payOwed: async () => {
      throw refusal('Paystack can’t charge a missed payment yet.');
    },
    changePlan: (change) => changePlan({ api, plans, now: clock.now() }, change),
    // Paystack's page has no link back.
    cardUpdateUrl: async (id) =>
      (await api.get(`${path('subscription', id)}/manage/link`, ManageLink)).link,
    refund: async ({ chargeId, amount, key }) =>
      refundOnce(api, await verify(chargeId), { amount, key }),
    isOurs: async () => true,
    listPayouts: async () => [],
    parseWebhook: async (headers, rawBody) =>
      parsePaystackWebhook({ secretKey, plans }, headers, rawBody),
  };
}
