import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { ForgedWebhook, isOurReference } from '../payments.ts';
import { isSignature } from '../provider-answers.ts';
import { ChargeEvent, DisputeEvent, RefundEvent } from './shapes.ts';

export const SIGNATURE_HEADER = 'x-paystack-signature';
const Envelope = z.object({ event: z.string().max(100), data: z.unknown() });

export const signPaystack = (secretKey: string, rawBody: Buffer): string =>
  createHmac('sha512', secretKey).update(rawBody).digest('hex');

/** By the start of an event's name, longer ones first: where it names the payment. */
const readers: readonly [string, (data: unknown) => string | undefined][] = [
  ['charge.dispute.', (data) => DisputeEvent.safeParse(data).data?.transaction.reference],
  ['charge.', (data) => ChargeEvent.safeParse(data).data?.reference],
  ['refund.', (data) => RefundEvent.safeParse(data).data?.transaction_reference],
];

function parseEnvelope(rawBody: Buffer) {
  try {
    return Envelope.safeParse(JSON.parse(rawBody.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}

export function parsePaystackWebhook(
  secretKey: string,
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): string | null {
  if (!isSignature(headers[SIGNATURE_HEADER], signPaystack(secretKey, rawBody)))
    throw new ForgedWebhook('The signature doesn’t match this body.');
  const envelope = parseEnvelope(rawBody);
  if (!envelope) return null;
  const read = readers.find(([start]) => envelope.event.startsWith(start))?.[1];
  const reference = read?.(envelope.data);
  return reference && isOurReference(reference) ? reference : null;
}
