import type { IncomingHttpHeaders } from 'node:http';
import type { Stripe } from 'stripe';
import { STRIPE_EVENTS } from '#contract/paying/stripe-events.ts';
import { DAY } from '#contract/rules/time.ts';
import {
  ForgedWebhook,
  isNotFound,
  isOurReference,
  isRefusal,
  type Payout as OurPayout,
} from '../payments.ts';
import { askStripe, listStripe } from './ask-stripe.ts';
import {
  BalanceTransaction,
  CheckoutSession,
  Dispute,
  Page,
  PaymentIntent,
  Payout,
  Refund,
  StripeEvent,
  type EventObject,
} from './answers.ts';

/** Stripe keeps its events for thirty days. */
const EVENTS_MS = 29 * DAY;

const isAboutPayment = (type: string): boolean => STRIPE_EVENTS.includes(type);

/** Only these lack the reference themselves. */
const NAMES_PAYMENT = new Set(['refund', 'dispute']);

/** Null if it isn't ours. */
async function findReference(stripe: Stripe, object: EventObject): Promise<string | null> {
  const own = object.client_reference_id ?? object.metadata?.reference;
  if (own) return isOurReference(own) ? own : null;
  if (!NAMES_PAYMENT.has(object.object) || !object.payment_intent) return null;
  try {
    const found = stripe.paymentIntents.retrieve(object.payment_intent);
    const reference = (await askStripe(PaymentIntent, found)).metadata?.reference;
    return reference && isOurReference(reference) ? reference : null;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

const listEvents = async (stripe: Stripe, gte: number): Promise<EventObject[]> =>
  (
    await listStripe(Page(StripeEvent), (page) =>
      stripe.events.list({ types: STRIPE_EVENTS, created: { gte }, ...page }),
    )
  ).map(({ data }) => data.object);

/** What was created since, for a time that events don't reach back to. */
async function listObjects(stripe: Stripe, gte: number): Promise<EventObject[]> {
  const created = { gte };
  const intents = await listStripe(Page(PaymentIntent), (page) =>
    stripe.paymentIntents.list({ created, ...page }),
  );
  const sessions = await listStripe(Page(CheckoutSession), (page) =>
    stripe.checkout.sessions.list({ created, status: 'complete', ...page }),
  );
  const refunds = await listStripe(Page(Refund), (page) =>
    stripe.refunds.list({ created, ...page }),
  );
  const disputes = await listStripe(Page(Dispute), (page) =>
    stripe.disputes.list({ created, ...page }),
  );
  return [
    ...intents.map(({ metadata }) => ({ object: 'payment_intent', metadata })),
    ...sessions.map((session) => ({ ...session, object: 'checkout.session' })),
    ...refunds.map(({ payment_intent }) => ({ object: 'refund', payment_intent })),
    ...disputes.map(({ payment_intent }) => ({ object: 'dispute', payment_intent })),
  ];
}

export async function listChanges(stripe: Stripe, since: number, now: number): Promise<string[]> {
  const gte = Math.floor(since / 1000);
  const objects = await listEvents(stripe, gte);
  if (since < now - EVENTS_MS) objects.push(...(await listObjects(stripe, gte)));
  const found = new Set<string>();
  const asked = new Set<string>();
  for (const object of objects) {
    const id = NAMES_PAYMENT.has(object.object) ? object.payment_intent : null;
    if (id && asked.has(id)) continue;
    if (id) asked.add(id);
    const reference = await findReference(stripe, object);
    if (reference !== null) found.add(reference);
  }
  return [...found];
}

/** Null for a payout made by hand, whose parts Stripe doesn't tell. */
async function sumFees(stripe: Stripe, payout: string): Promise<number | null> {
  try {
    const parts = await listStripe(Page(BalanceTransaction), (page) =>
      stripe.balanceTransactions.list({ payout, ...page }),
    );
    return parts.reduce((sum, { fee }) => sum + fee, 0);
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

const LOST = new Set(['failed', 'canceled']);

export async function listPayouts(
  stripe: Stripe,
  { from, to }: { from: number; to: number },
): Promise<OurPayout[]> {
  const [gte, lt] = [Math.ceil(from / 1000), Math.ceil(to / 1000)];
  const found = await listStripe(Page(Payout), (page) =>
    stripe.payouts.list({ arrival_date: { gte, lt }, ...page }),
  );
  const payouts: OurPayout[] = [];
  for (const { id, amount, arrival_date: at, currency, status } of found)
    if (!LOST.has(status))
      payouts.push({
        id,
        at,
        amount,
        fees: await sumFees(stripe, id),
        currency: currency.toUpperCase(),
      });
  return payouts.toSorted((a, b) => a.at - b.at);
}

const SIGNATURE_HEADER = 'stripe-signature';
const TOLERANCE_SECONDS = 300;

/** Throws unless the body has a valid signature from the last minutes. */
function verify(
  stripe: Stripe,
  { secret, now }: { secret: string; now: number },
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): unknown {
  const header = headers[SIGNATURE_HEADER];
  try {
    return stripe.webhooks.constructEvent(
      rawBody,
      typeof header === 'string' ? header : '',
      secret,
      TOLERANCE_SECONDS,
      undefined,
      now,
    );
  } catch {
    // The error itself would quote the body.
    throw new ForgedWebhook('The signature doesn’t match this body.');
  }
}

export async function parseStripeWebhook(
  stripe: Stripe,
  signing: { secret: string; now: number },
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): Promise<string | null> {
  const event = StripeEvent.safeParse(verify(stripe, signing, headers, rawBody)).data;
  if (!event || !isAboutPayment(event.type)) return null;
  return findReference(stripe, event.data.object);
}
