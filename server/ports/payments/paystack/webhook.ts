import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { PlanIds } from '../../../payments-settings.ts';
import {
  emptySubject,
  ForgedWebhook,
  type WebhookEvent,
  type WebhookSubject,
} from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import { isSignature } from '../provider-answers.ts';
import {
  ChargeEvent,
  DisputeEvent,
  ExpiringCardsEvent,
  InvoiceEvent,
  RefundEvent,
  SubscriptionEvent,
} from './shapes.ts';

export const SIGNATURE_HEADER = 'x-paystack-signature';
const Envelope = z.object({ event: z.string().max(100), data: z.unknown() });

export const signPaystack = (secretKey: string, rawBody: Buffer): string =>
  createHmac('sha512', secretKey).update(rawBody).digest('hex');

type Reader = (plans: PlanIds, data: unknown) => Partial<WebhookSubject>[];

/** Nothing for an invoice without a subscription, or of a plan that isn't ours. */
function readInvoice(
  plans: PlanIds,
  { subscription, customer }: z.output<typeof InvoiceEvent>,
): Partial<WebhookSubject>[] {
  const plan = toPlan(plans, subscription?.plan);
  if (!subscription || (subscription.plan !== null && plan === null)) return [];
  const { subscription_code: providerSubscriptionId } = subscription;
  return [{ providerSubscriptionId, customerId: customer?.customer_code ?? null, plan }];
}

/**
 * By the start of an event's name. Events about another product give no subjects, where the event
 * itself tells; a refund or dispute names only the payment.
 */
const readers: Record<string, Reader> = {
  charge: (plans, data) => {
    const { reference, metadata, customer, plan: code } = ChargeEvent.parse(data);
    const plan = toPlan(plans, code) ?? metadata?.plan ?? null;
    if (plan === null) return [];
    const customerId = customer?.customer_code ?? null;
    const charge = { chargeId: reference, customerId, plan };
    return metadata?.purpose === 'owed'
      ? [{ ...charge, providerSubscriptionId: metadata.subscription ?? null }]
      : [{ ...charge, reference: metadata ? reference : null }];
  },
  'charge.dispute': (_plans, data) => {
    const { transaction, customer } = DisputeEvent.parse(data);
    const { reference } = transaction;
    return [{ reference, chargeId: reference, customerId: customer?.customer_code ?? null }];
  },
  refund: (_plans, data) => {
    const { transaction_reference: reference } = RefundEvent.parse(data);
    return [{ reference, chargeId: reference }];
  },
  subscription: (plans, data) => {
    const {
      subscription_code: providerSubscriptionId,
      customer,
      plan: code,
    } = SubscriptionEvent.parse(data);
    const plan = toPlan(plans, code);
    return plan
      ? [{ providerSubscriptionId, customerId: customer?.customer_code ?? null, plan }]
      : [];
  },
  'subscription.expiring_cards': (plans, data) =>
    ExpiringCardsEvent.parse(data).flatMap((item) => readInvoice(plans, item)),
  invoice: (plans, data) => readInvoice(plans, InvoiceEvent.parse(data)),
};

const findReader = (event: string): Reader | undefined => {
  const [first = '', second = ''] = event.split('.');
  return readers[event] ?? readers[`${first}.${second}`] ?? readers[first];
};

/** An event in an unknown format gives no subjects; reconciling finds the change later. */
function readSubjects(read: Reader, plans: PlanIds, data: unknown): Partial<WebhookSubject>[] {
  try {
    return read(plans, data);
  } catch (error) {
    if (error instanceof z.ZodError) return [];
    throw error;
  }
}

function parseEnvelope(rawBody: Buffer) {
  try {
    return Envelope.safeParse(JSON.parse(rawBody.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}

/** The signature contains no time, so the hash of the body is the id that detects a replay. */
export function parsePaystackWebhook(
  { secretKey, plans }: { secretKey: string; plans: PlanIds },
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): WebhookEvent | null {
  if (!isSignature(headers[SIGNATURE_HEADER], signPaystack(secretKey, rawBody)))
    throw new ForgedWebhook('The signature doesn’t match this body.');
  const envelope = parseEnvelope(rawBody);
  const read = envelope && findReader(envelope.event);
  if (!envelope || !read) return null;
  const subjects = readSubjects(read, plans, envelope.data);
  return {
    eventId: createHash('sha256').update(rawBody).digest('hex'),
    kind: envelope.event,
    subjects: subjects.map((subject) => ({ ...emptySubject, ...subject })),
  };
}
