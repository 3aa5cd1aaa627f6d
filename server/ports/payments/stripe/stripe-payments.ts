import { createHash } from 'node:crypto';
import type { Stripe } from 'stripe';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { createRealCalendar } from '../calendar.ts';
import {
  failedPayment,
  isNotFound,
  isRefusal,
  notFoundPayment,
  refusal,
  type ChargeRequest,
  type PaymentRequest,
  type Payments,
  type PaymentState,
  type ProviderParts,
  type RefundRequest,
} from '../payments.ts';
import { CARD_GONE, readBounded, readProviderTime } from '../provider-answers.ts';
import {
  CheckoutSession,
  Dispute,
  isCharge,
  Page,
  PaymentIntent,
  PaymentMethod,
  presentIntent,
  presentSetup,
  presentUnpaid,
  Refund,
  SetupIntent,
} from './answers.ts';
import { askStripe, listStripe, StripeProblem } from './ask-stripe.ts';
import { listChanges, listPayouts, parseStripeWebhook } from './lists.ts';

export const TIMEOUT_MS = 15_000;
/** Stripe lists no minimum in rand, and wants the equivalent of half a US dollar: a bit less than this. */
const MINIMUM_CENTS = 1000;

export type StripeSettings = { api: string; secretKey: string; webhookSecret: string };

/** The client itself would follow redirects and read responses of any length. */
const fetchBounded: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  const { status, headers } = response;
  return new Response(await readBounded(response), { status, headers });
};

/** Loaded on first use: it is large, and most sites use another provider. */
export async function connectStripe(
  { api, secretKey }: StripeSettings,
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

/** What is paid for, or nothing but a card to save. */
function describePage(request: PaymentRequest): Stripe.Checkout.SessionCreateParams {
  const { reference, amount, description, savesCard } = request;
  const currency = request.currency.toLowerCase();
  const metadata = { reference, use: savesCard ? 'save-card' : 'once' };
  if (amount === 0) return { mode: 'setup', currency, setup_intent_data: { metadata } };
  const price = { currency, unit_amount: amount, product_data: { name: description } };
  return {
    mode: 'payment',
    line_items: [{ price_data: price, quantity: 1 }],
    payment_intent_data: {
      metadata,
      description,
      ...(savesCard && { setup_future_usage: 'off_session' as const }),
    },
    // The user agreed to one currency, whatever the account's settings say.
    adaptive_pricing: { enabled: false },
  };
}

async function startPayment(stripe: Stripe, request: PaymentRequest) {
  const { reference, providerId, amount, email, savesCard } = request;
  const isTooSmall = amount < MINIMUM_CENTS && !(amount === 0 && savesCard);
  if (isTooSmall) throw refusal(`Stripe takes at least ${MINIMUM_CENTS} cents.`);
  const { sessions } = stripe.checkout;
  const session = await askStripe(
    CheckoutSession,
    providerId === null
      ? sessions.create(
          {
            ...describePage(request),
            client_reference_id: reference,
            customer_email: email,
            success_url: request.successUrl,
            cancel_url: request.cancelUrl,
            // A card can be charged later only as the card of a customer.
            ...(savesCard && {
              customer_creation: 'always',
              allowed_payment_method_types: ['card'],
            }),
          },
          { idempotencyKey: `page-${reference}` },
        )
      : sessions.retrieve(providerId),
  );
  if (!session.url) throw refusal('This page is closed. Start a new payment.');
  return { url: session.url, providerId: session.id };
}

/** Lists are exact at once, and a page is open for a day; anything older is found by searching. */
const LISTED_MS = DAY + HOUR;

async function findOrNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

const fetchIntent = (stripe: Stripe, id: string): Promise<PaymentIntent> =>
  askStripe(
    PaymentIntent,
    stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction'] }),
  );

async function readIntent(
  stripe: Stripe,
  reference: string,
  intent: PaymentIntent,
): Promise<PaymentState> {
  if (intent.metadata?.reference !== reference) return notFoundPayment(reference);
  const paid = intent.status === 'succeeded' ? intent.latest_charge : null;
  const ofCharge = { charge: paid?.id ?? '' };
  const refunds = paid?.amount_refunded
    ? await listStripe(Page(Refund), (page) => stripe.refunds.list({ ...ofCharge, ...page }))
    : [];
  const disputes = paid?.disputed
    ? await listStripe(Page(Dispute), (page) => stripe.disputes.list({ ...ofCharge, ...page }))
    : [];
  return presentIntent(reference, intent, { refunds, disputes });
}

async function readSession(
  stripe: Stripe,
  reference: string,
  session: CheckoutSession,
): Promise<PaymentState> {
  const { status, setup_intent: setup, payment_intent: intent } = session;
  if (status !== 'complete') return presentUnpaid(reference, session);
  if (intent !== null) return readIntent(stripe, reference, await fetchIntent(stripe, intent));
  if (setup === null) throw refusal('Stripe’s page has neither a payment nor a card.');
  const found = stripe.setupIntents.retrieve(setup, { expand: ['payment_method'] });
  return presentSetup(reference, session, await askStripe(SetupIntent, found));
}

const isStarted = (intent: PaymentIntent): boolean => intent.status !== 'requires_confirmation';

/** A charge whose id was lost: of several with this reference, the one that was confirmed. */
async function findIntentId(
  stripe: Stripe,
  reference: string,
  now: number,
): Promise<string | null> {
  const isOurs = ({ metadata }: PaymentIntent) => metadata?.reference === reference;
  const created = { gte: Math.floor((now - LISTED_MS) / 1000) };
  const listed = await listStripe(
    Page(PaymentIntent),
    (page) => stripe.paymentIntents.list({ created, ...page }),
    (intent) => isOurs(intent) && isStarted(intent),
  );
  const fresh = listed.filter(isOurs);
  const search = { query: `metadata['reference']:'${reference}'`, limit: 100 };
  const found = fresh.some(isStarted)
    ? fresh
    : (await askStripe(Page(PaymentIntent), stripe.paymentIntents.search(search))).data;
  const all = [...found.filter(isOurs), ...fresh];
  return (all.find(isStarted) ?? all[0])?.id ?? null;
}

async function findSession(stripe: Stripe, reference: string, now: number) {
  const created = { gte: Math.floor((now - LISTED_MS) / 1000) };
  const isOurs = (session: CheckoutSession) => session.client_reference_id === reference;
  const listed = await listStripe(
    Page(CheckoutSession),
    (page) => stripe.checkout.sessions.list({ created, ...page }),
    isOurs,
  );
  return listed.find(isOurs) ?? null;
}

async function readPayment(
  stripe: Stripe,
  { reference, providerId, now }: { reference: string; providerId: string | null; now: number },
): Promise<PaymentState> {
  // It becomes part of a search.
  if (!/^[\w.=-]+$/.test(reference)) return notFoundPayment(reference);
  if (!providerId?.startsWith('pi_')) {
    const session =
      providerId === null
        ? await findSession(stripe, reference, now)
        : await findOrNull(
            askStripe(CheckoutSession, stripe.checkout.sessions.retrieve(providerId)),
          );
    if (session?.client_reference_id === reference) return readSession(stripe, reference, session);
    if (session) return notFoundPayment(reference);
  }
  const id = providerId?.startsWith('pi_')
    ? providerId
    : await findIntentId(stripe, reference, now);
  const intent = id === null ? null : await findOrNull(fetchIntent(stripe, id));
  return intent ? readIntent(stripe, reference, intent) : notFoundPayment(reference);
}

/** Detached from its customer, or the customer was deleted. */
const isAboutCard = (error: unknown): boolean =>
  error instanceof StripeProblem &&
  isRefusal(error) &&
  ['payment_method', 'customer'].includes(error.param ?? '');

/** Not confirmed, so nothing is charged yet. */
function createIntent(stripe: Stripe, request: ChargeRequest): Promise<PaymentIntent> {
  const { reference, amount, description, savedCard } = request;
  const currency = request.currency.toLowerCase();
  const { token, customerId } = savedCard;
  // Stripe refuses the same key with another card, which a member may have added meanwhile.
  const hash = createHash('sha256').update(`${token} ${amount} ${currency}`).digest('hex');
  return askStripe(
    PaymentIntent,
    stripe.paymentIntents.create(
      {
        amount,
        currency,
        description,
        payment_method: token,
        allowed_payment_method_types: ['card'],
        metadata: { reference, use: 'charge' },
        ...(customerId !== null && { customer: customerId }),
      },
      { idempotencyKey: `charge-${reference}-${hash.slice(0, 16)}` },
    ),
  );
}

/**
 * No key: Stripe would repeat the answer to a failure for a day, and confirms a payment only once
 * anyway. What became of it is read afterwards.
 */
async function confirmIntent(stripe: Stripe, id: string) {
  try {
    await askStripe(PaymentIntent, stripe.paymentIntents.confirm(id, { off_session: true }));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (!isStarted(await fetchIntent(stripe, id))) throw error;
  }
}

/** The id is stored before the payment is confirmed: what has no id here has charged nothing. */
async function charge(stripe: Stripe, request: ChargeRequest): Promise<PaymentState> {
  const { reference, providerId, amount, storeProviderId } = request;
  if (amount < MINIMUM_CENTS) throw refusal(`Stripe takes at least ${MINIMUM_CENTS} cents.`);
  try {
    const intent = providerId
      ? await fetchIntent(stripe, providerId)
      : await createIntent(stripe, request);
    if (intent.metadata?.reference !== reference || !isCharge(intent))
      throw refusal('Stripe has another payment with this id.');
    if (providerId === null) await storeProviderId(intent.id);
    // An answer that Stripe repeats is as old as the first one, so this may have been confirmed.
    if (!isStarted(intent) && !isStarted(await fetchIntent(stripe, intent.id)))
      await confirmIntent(stripe, intent.id);
    return await readIntent(stripe, reference, await fetchIntent(stripe, intent.id));
  } catch (error) {
    if (!isAboutCard(error)) throw error;
    return failedPayment({ ...request, currency: request.currency.toUpperCase() }, CARD_GONE);
  }
}

/** Stripe's keys expire after a day, so a later retry must look for an existing refund. */
async function refundOnce(stripe: Stripe, { chargeId, amount, key }: RefundRequest) {
  const refunds = await listStripe(Page(Refund), (page) =>
    stripe.refunds.list({ charge: chargeId, ...page }),
  );
  if (refunds.some(({ metadata }) => metadata?.key === key)) return;
  const request = { charge: chargeId, amount, metadata: { key } };
  await askStripe(
    Refund,
    stripe.refunds.create(request, { idempotencyKey: `refund-${chargeId}-${key}` }),
  );
}

async function forgetCard(stripe: Stripe, token: string) {
  try {
    await askStripe(PaymentMethod, stripe.paymentMethods.detach(token));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const kept = await findOrNull(askStripe(PaymentMethod, stripe.paymentMethods.retrieve(token)));
    if (kept?.customer) throw error;
  }
}

export function createStripePayments(
  settings: StripeSettings,
  { clock, timeZone, timeoutMs = TIMEOUT_MS }: ProviderParts,
): Payments {
  let connected: Promise<Stripe> | undefined;
  const connect = () => (connected ??= connectStripe(settings, timeoutMs));
  const { webhookSecret: secret } = settings;
  return {
    name: 'stripe',
    calendar: createRealCalendar(timeZone),
    minimumAmount: MINIMUM_CENTS,
    cardCheckAmount: 0,
    startPayment: async (request) => startPayment(await connect(), request),
    readPayment: async (reference, providerId) =>
      readPayment(await connect(), { reference, providerId, now: clock.now() }),
    charge: async (request) => charge(await connect(), request),
    refund: async (refund) => refundOnce(await connect(), refund),
    listChanges: async (since) => listChanges(await connect(), since, clock.now()),
    listPayouts: async (range) => listPayouts(await connect(), range),
    forgetCard: async ({ token }) => forgetCard(await connect(), token),
    readTime: () => readProviderTime(settings.api, timeoutMs),
    parseWebhook: async (headers, rawBody) =>
      parseStripeWebhook(await connect(), { secret, now: clock.now() }, headers, rawBody),
  };
}
