import type { Stripe } from 'stripe';
import type { PlanIds } from '../../../payments-settings.ts';
import { realCalendar } from '../calendar.ts';
import type { Payments, RefundRequest } from '../payments.ts';
import { createPlanIdUser } from '../plan-ids.ts';
import { readBounded } from '../provider-answers.ts';
import { askStripe } from './ask-stripe.ts';
import { cancelAtPeriodEnd, changePlan, endNow, payOwed } from './change-subscription.ts';
import { findPrice, getCheckout, startCheckout } from './checkout.ts';
import { listPayouts } from './payouts.ts';
import {
  fetchSubscription,
  getProviderSubscription,
  isOurs,
  readCustomer,
} from './read-subscription.ts';
import { Page, PortalSession, Refund } from './shapes.ts';
import { parseStripeWebhook } from './webhook.ts';

const TIMEOUT_MS = 15_000;
/** Stripe lists no minimum in rand, and wants the equivalent of half a US dollar: a bit less than this. */
const MINIMUM_CENTS = 1000;

type StripeSettings = {
  api: string;
  secretKey: string;
  webhookSecret: string;
  prices: PlanIds;
};
type Parts = { clock: { now: () => number }; timeoutMs?: number };

/** The client itself would follow redirects and read responses of any length. */
const fetchBounded: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  const { status, headers } = response;
  return new Response(await readBounded(response), { status, headers });
};

/** Loaded on first use: it is large, and most sites use another provider. */
async function connectStripe(
  { api, secretKey }: Pick<StripeSettings, 'api' | 'secretKey'>,
  timeout: number,
): Promise<Stripe> {
  const client = await import('stripe');
  const { protocol, hostname, port } = new URL(api);
  return new client.Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout,
    // The caller retries: a job with pauses, or the user.
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: client.Stripe.createFetchHttpClient(fetchBounded),
  });
}

/** Stripe's idempotency keys expire after a day, so a later retry must look for an existing refund. */
async function refundOnce(stripe: Stripe, { chargeId, amount, key }: RefundRequest) {
  const refunds = await askStripe(
    Page(Refund),
    stripe.refunds.list({ charge: chargeId, limit: 100 }),
  );
  const exists = refunds.data.some(
    ({ metadata, status }) =>
      metadata?.key === key && !['failed', 'canceled'].includes(status ?? ''),
  );
  if (exists) return;
  const request = { charge: chargeId, amount, metadata: { key } };
  await askStripe(Refund, stripe.refunds.create(request, { idempotencyKey: `refund-${key}` }));
}

async function openPortal(stripe: Stripe, id: string, returnUrl: string): Promise<string> {
  const { customer } = await fetchSubscription(stripe, id);
  const portal = stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: returnUrl,
    flow_data: {
      type: 'payment_method_update',
      after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
    },
  });
  return (await askStripe(PortalSession, portal)).url;
}

export function createStripePayments(
  settings: StripeSettings,
  { clock, timeoutMs = TIMEOUT_MS }: Parts,
): Payments {
  let connected: Promise<Stripe> | undefined;
  const connect = () => (connected ??= connectStripe(settings, timeoutMs));
  const { prices, webhookSecret: secret } = settings;
  const change: Payments['changePlan'] = async (wanted) => {
    await changePlan(await connect(), prices, wanted);
    return { providerSubscriptionId: wanted.providerSubscriptionId };
  };
  return {
    name: 'stripe',
    calendar: realCalendar,
    minimumAmount: MINIMUM_CENTS,
    planIdExample: 'price_…',
    checkPlanId: async (planId, price) => void (await findPrice(await connect(), [planId], price)),
    usePlanIds: createPlanIdUser(prices),
    startCheckout: async (request) => startCheckout(await connect(), prices, request, clock.now()),
    getCheckout: async (reference, checkoutId = null) =>
      getCheckout(await connect(), prices, { reference, checkoutId, now: clock.now() }),
    // Stripe's checkout creates the subscription together with the payment.
    finishCheckout: async (reference) => {
      const context = { reference, checkoutId: null, now: clock.now() };
      const { providerSubscriptionId } = await getCheckout(await connect(), prices, context);
      return { providerSubscriptionId };
    },
    getProviderSubscription: async (id) => getProviderSubscription(await connect(), prices, id),
    listProviderSubscriptions: async (customerId) =>
      readCustomer(await connect(), prices, customerId),
    cancelAtPeriodEnd: async (id) => cancelAtPeriodEnd(await connect(), id),
    endNow: async (id) => endNow(await connect(), id),
    resume: change,
    changePlan: change,
    payOwed: async (payment) => payOwed(await connect(), prices, payment),
    cardUpdateUrl: async (id, returnUrl) => openPortal(await connect(), id, returnUrl),
    refund: async (refund) => refundOnce(await connect(), refund),
    isOurs: async (chargeId) => isOurs(await connect(), prices, chargeId),
    listPayouts: async (range) => listPayouts(await connect(), range),
    parseWebhook: async (headers, rawBody) =>
      parseStripeWebhook(await connect(), { secret, now: clock.now() }, headers, rawBody),
  };
}
