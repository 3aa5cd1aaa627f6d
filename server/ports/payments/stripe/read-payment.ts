import type { Stripe } from 'stripe';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { isNotFound, notFoundPayment, refusal, type PaymentState } from '../payments.ts';
import { askStripe, listStripe } from './ask-stripe.ts';
import { presentIntent, presentSetup, presentUnpaid } from './present.ts';
import { CheckoutSession, Dispute, Page, PaymentIntent, Refund, SetupIntent } from './shapes.ts';

/** Lists are exact at once, and a page is open for a day; anything older is found by searching. */
const LISTED_MS = DAY + HOUR;

export async function findOrNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

export const fetchIntent = (stripe: Stripe, id: string): Promise<PaymentIntent> =>
  askStripe(
    PaymentIntent,
    stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction'] }),
  );

export async function readIntent(
  stripe: Stripe,
  reference: string,
  intent: PaymentIntent,
): Promise<PaymentState> {
  if (intent.metadata?.reference !== reference) return notFoundPayment(reference);
  const charge = intent.status === 'succeeded' ? intent.latest_charge : null;
  const ofCharge = { charge: charge?.id ?? '' };
  const refunds = charge?.amount_refunded
    ? await listStripe(Page(Refund), (page) => stripe.refunds.list({ ...ofCharge, ...page }))
    : [];
  const disputes = charge?.disputed
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

export const isStarted = (intent: PaymentIntent): boolean =>
  intent.status !== 'requires_confirmation';

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

export async function readPayment(
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
