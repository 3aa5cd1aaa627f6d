import type { IncomingHttpHeaders } from 'node:http';
import type { Stripe } from 'stripe';
import { ForgedWebhook } from '../payments.ts';
import { findReference, isAboutPayment } from './lists.ts';
import { StripeEvent } from './shapes.ts';

export const SIGNATURE_HEADER = 'stripe-signature';
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
