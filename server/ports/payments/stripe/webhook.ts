import type { IncomingHttpHeaders } from 'node:http';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import {
  emptySubject,
  ForgedWebhook,
  type WebhookEvent,
  type WebhookSubject,
} from '../payments.ts';
import { EventObject } from './shapes.ts';

export const SIGNATURE_HEADER = 'stripe-signature';
const TOLERANCE_SECONDS = 300;

const StripeEvent = z.object({
  id: z.string().min(1),
  type: z.string(),
  data: z.object({ object: z.unknown() }),
});

/** Null for the events of another shop on the same account. */
type Reader = (object: EventObject) => Partial<WebhookSubject> | null;

/** By the start of an event's name, longer ones first. */
const readers: readonly [string, Reader][] = [
  [
    'checkout.session.',
    ({ client_reference_id: reference, subscription, customer }) =>
      reference ? { reference, providerSubscriptionId: subscription, customerId: customer } : null,
  ],
  [
    'customer.subscription.',
    ({ id, customer, metadata }) =>
      metadata?.reference
        ? { reference: metadata.reference, providerSubscriptionId: id, customerId: customer }
        : null,
  ],
  ['customer.updated', ({ id }) => ({ customerId: id })],
  ['payment_method.attached', ({ customer }) => ({ customerId: customer })],
  [
    'subscription_schedule.',
    ({ subscription, customer }) => ({
      providerSubscriptionId: subscription,
      customerId: customer,
    }),
  ],
  [
    'invoice.',
    ({ parent, customer }) => ({
      providerSubscriptionId: parent?.subscription_details?.subscription ?? null,
      customerId: customer,
    }),
  ],
  ['charge.dispute.', ({ charge }) => ({ chargeId: charge })],
  ['charge.refund.', ({ charge }) => ({ chargeId: charge })],
  ['refund.', ({ charge }) => ({ chargeId: charge })],
  ['charge.', ({ id, customer }) => ({ chargeId: id, customerId: customer })],
];

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
  } catch (error) {
    throw new ForgedWebhook('The signature doesn’t match this body.', { cause: error });
  }
}

export function parseStripeWebhook(
  stripe: Stripe,
  signing: { secret: string; now: number },
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): WebhookEvent | null {
  const event = StripeEvent.safeParse(verify(stripe, signing, headers, rawBody));
  if (!event.success) return null;
  const { id: eventId, type: kind, data } = event.data;
  const read = readers.find(([prefix]) => kind.startsWith(prefix))?.[1];
  if (!read) return null;
  // An event in an unknown format gives no subjects.
  const object = EventObject.safeParse(data.object);
  const subject = object.success ? read(object.data) : null;
  return { eventId, kind, subjects: subject ? [{ ...emptySubject, ...subject }] : [] };
}
