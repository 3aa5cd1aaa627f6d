import { z } from 'zod';
import { PageUrl } from '../provider-answers.ts';

/** The fields we use of Stripe's responses. The client declares their types; this validates them. */

const seconds = z.int().transform((time) => time * 1000);
const cents = z.int().min(0);
const text = z.string().min(1);

/** A related object is its id, or the object itself if it was expanded. */
const idOf = z
  .union([text, z.object({ id: text })])
  .transform((value) => (typeof value === 'string' ? value : value.id));

export const CardDetails = z.object({
  brand: z.string().nullish(),
  last4: z.string().nullish(),
  exp_month: z.int().nullish(),
  exp_year: z.int().nullish(),
  fingerprint: z.string().nullish(),
});
export type CardDetails = z.output<typeof CardDetails>;

const Address = z.object({ email: z.string().nullish() }).nullish();

/** Ours has the reference, and how it came about: a page, a page that keeps the card, or a charge. */
const Metadata = z.record(z.string(), z.string()).nullish();

/** Null if the related object was not expanded. */
const expanded = <T extends z.ZodType>(schema: T) =>
  z.union([z.string().transform(() => null), schema]).nullish();

export const Charge = z.object({
  id: text,
  amount_refunded: cents,
  currency: text,
  created: seconds,
  disputed: z.boolean(),
  billing_details: Address,
  payment_method_details: z.object({ type: text, card: CardDetails.nullish() }).nullable(),
  balance_transaction: expanded(z.object({ fee: cents, currency: text })),
});
export type Charge = z.output<typeof Charge>;

export const PaymentIntent = z.object({
  id: text,
  status: text,
  amount: cents,
  currency: text,
  created: seconds,
  metadata: Metadata,
  customer: idOf.nullish(),
  payment_method: idOf.nullish(),
  latest_charge: expanded(Charge),
  last_payment_error: z
    .object({
      code: z.string().nullish(),
      decline_code: z.string().nullish(),
      advice_code: z.string().nullish(),
      message: z.string().nullish(),
    })
    .nullish(),
});
export type PaymentIntent = z.output<typeof PaymentIntent>;

/** A card that was saved without a payment. */
export const SetupIntent = z.object({
  id: text,
  customer: idOf.nullish(),
  payment_method: expanded(
    z.object({ id: text, card: CardDetails.nullish(), billing_details: Address }),
  ),
});
export type SetupIntent = z.output<typeof SetupIntent>;

export const CheckoutSession = z.object({
  id: text,
  client_reference_id: z.string().nullable(),
  mode: text,
  status: z.string().nullable(),
  url: PageUrl.nullable(),
  created: seconds,
  amount_total: cents.nullable(),
  currency: z.string().nullable(),
  customer: idOf.nullable(),
  customer_details: Address,
  payment_intent: idOf.nullable(),
  setup_intent: idOf.nullable(),
});
export type CheckoutSession = z.output<typeof CheckoutSession>;

export const PaymentMethod = z.object({ id: text, customer: idOf.nullish() });

export const Dispute = z.object({
  id: text,
  status: text,
  payment_intent: idOf.nullish(),
  evidence_details: z.object({ due_by: seconds.nullable() }),
});
export type Dispute = z.output<typeof Dispute>;

export const Refund = z.object({
  id: text,
  amount: cents,
  metadata: Metadata,
  status: z.string().nullable(),
  payment_intent: idOf.nullish(),
});
export type Refund = z.output<typeof Refund>;

/** A negative one took money from the operator's bank account. */
export const Payout = z.object({
  id: text,
  amount: z.int(),
  arrival_date: seconds,
  currency: text,
  status: text,
});

export const BalanceTransaction = z.object({ id: text, fee: z.int() });

/** A page of a list. */
export const Page = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), has_more: z.boolean() });

/** What an event is about; only what names the payment is used. */
const EventObject = z.object({
  object: z.string().catch(''),
  client_reference_id: z.string().nullish().catch(null),
  metadata: Metadata.catch(null),
  payment_intent: idOf.nullish().catch(null),
});
export type EventObject = z.output<typeof EventObject>;

export const StripeEvent = z.object({
  id: text,
  type: z.string(),
  data: z.object({ object: EventObject }),
});
export type StripeEvent = z.output<typeof StripeEvent>;
