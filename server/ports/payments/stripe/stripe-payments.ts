import type { Stripe } from 'stripe';
import type { PlanIds } from '../../../payments-settings.ts';
import { createCalendar } from '../calendar.ts';
import { refusal, type Payments, type RefundRequest } from '../payments.ts';
import { readBounded } from '../provider-answers.ts';
import { askStripe } from './ask-stripe.ts';
import { cancelAtPeriodEnd, changePlan, resume } from './change-subscription.ts';
import { getCheckout, startCheckout } from './checkout.ts';
import { fetchSubscription, getProviderSubscription, readCustomer } from './read-subscription.ts';
import { Page, PortalSession, Refund } from './shapes.ts';
import { parseStripeWebhook } from './webhook.ts';

const TIMEOUT_MS = 15_000;
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
  return {
    name: 'stripe',
    calendar: createCalendar(),
    minimumAmount: MINIMUM_CENTS,
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
    endNow: async () => {
      throw refusal('Not yet.');
    },
    resume: async ({ providerSubscriptionId }) => {
      await resume(await connect(), providerSubscriptionId);
      return { providerSubscriptionId };
    },
    payOwed: async () => {
      throw refusal('Not yet.');
    },
    changePlan: async (change) => {
      await changePlan(await connect(), prices, change);
      return { providerSubscriptionId: change.providerSubscriptionId };
    },
    cardUpdateUrl: async (id, returnUrl) => openPortal(await connect(), id, returnUrl),
    refund: async (refund) => refundOnce(await connect(), refund),
    isOurs: async () => true,
    listPayouts: async () => [],
    parseWebhook: async (headers, rawBody) =>
      parseStripeWebhook(await connect(), { secret, now: clock.now() }, headers, rawBody),
  };
}
