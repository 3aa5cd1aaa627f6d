import { z } from 'zod';
import { PageUrl } from '../provider-answers.ts';

/** The fields we use of Stripe's responses. The client declares their types; this validates them. */

const seconds = z.int().transform((time) => time * 1000);
const cents = z.int().min(0);

/** A related object is its id, or the object itself if it was expanded. */
const idOf = z
  .union([z.string(), z.object({ id: z.string() })])
  .transform((value) => (typeof value === 'string' ? value : value.id));

const CardDetails = z.object({
  brand: z.string().nullish(),
  last4: z.string().nullish(),
  exp_month: z.int().nullish(),
  exp_year: z.int().nullish(),
  fingerprint: z.string().nullish(),
});
export type CardDetails = z.output<typeof CardDetails>;

const PaymentMethod = z
  .union([
    z.string().transform(() => null),
    z.object({ id: z.string(), created: z.int(), card: CardDetails.nullish() }),
  ])
  .nullish();

export const Price = z.object({
  id: z.string(),
  unit_amount: cents.nullable(),
  currency: z.string(),
  /** Null if it is paid only once. */
  recurring: z.object({ interval: z.string(), interval_count: z.int() }).nullable(),
});

/** A price is an id or, if expanded, an object. */
const PriceRef = z.union([
  z.string().transform((id) => ({ id, unit_amount: null })),
  z.object({ id: z.string(), unit_amount: cents.nullish() }),
]);

const Metadata = z.record(z.string(), z.string()).nullish();

export const Schedule = z.object({
  id: z.string(),
  status: z.string(),
  /** Of an active one. */
  current_phase: z.object({ start_date: z.int() }).nullish(),
  phases: z.array(
    z.object({
      start_date: z.int(),
      end_date: z.int(),
      items: z.array(z.object({ price: PriceRef })),
    }),
  ),
});
export type Schedule = z.output<typeof Schedule>;

export const Subscription = z.object({
  id: z.string(),
  status: z.string(),
  customer: z.union([
    z.string().transform((id) => ({ id, paymentMethod: null })),
    z
      .object({
        id: z.string(),
        invoice_settings: z.object({ default_payment_method: PaymentMethod }).optional(),
      })
      .transform(({ id, invoice_settings }) => ({
        id,
        paymentMethod: invoice_settings?.default_payment_method ?? null,
      })),
  ]),
  cancel_at_period_end: z.boolean(),
  cancel_at: z.int().nullable(),
  trial_end: z.int().nullable(),
  metadata: Metadata,
  default_payment_method: PaymentMethod,
  schedule: z.union([z.string().transform(() => null), Schedule]).nullable(),
  items: z.object({
    data: z
      .array(z.object({ id: z.string(), current_period_end: z.int(), price: PriceRef }))
      .min(1),
  }),
});
export type Subscription = z.output<typeof Subscription>;

export const Invoice = z.object({
  id: z.string(),
  created: seconds,
  status: z.string().nullable(),
  billing_reason: z.string().nullable(),
  next_payment_attempt: seconds.nullable(),
  lines: z.object({
    data: z.array(
      z.object({
        pricing: z.object({ price_details: z.object({ price: PriceRef }).nullish() }).nullish(),
      }),
    ),
  }),
  payments: z
    .object({
      data: z.array(z.object({ payment: z.object({ payment_intent: idOf.nullish() }) })),
    })
    .nullish(),
});
export type Invoice = z.output<typeof Invoice>;

export const Charge = z.object({
  id: z.string(),
  amount: cents,
  amount_refunded: cents,
  currency: z.string(),
  created: seconds,
  customer: idOf.nullable(),
  disputed: z.boolean(),
  failure_message: z.string().nullable(),
  payment_intent: idOf.nullable(),
  payment_method_details: z.object({ card: CardDetails.nullish() }).nullable(),
  status: z.string(),
  balance_transaction: z
    .union([z.string().transform(() => null), z.object({ fee: cents, currency: z.string() })])
    .nullish(),
});
export type Charge = z.output<typeof Charge>;

export const Dispute = z.object({
  status: z.string(),
  evidence_details: z.object({ due_by: seconds.nullable() }),
});
export const Refund = z.object({
  id: z.string(),
  metadata: Metadata,
  status: z.string().nullable(),
});

export const CheckoutSession = z.object({
  id: z.string(),
  client_reference_id: z.string().nullable(),
  status: z.string().nullable(),
  payment_status: z.string(),
  url: PageUrl.nullable(),
  customer: idOf.nullable(),
  subscription: idOf.nullable(),
});
export type CheckoutSession = z.output<typeof CheckoutSession>;

/** A negative one took money from the operator's bank account. */
export const Payout = z.object({
  id: z.string(),
  amount: z.int(),
  arrival_date: seconds,
  currency: z.string(),
  status: z.string(),
});

export const BalanceTransaction = z.object({ id: z.string(), fee: z.int() });

export const PortalSession = z.object({ url: PageUrl });
export const Anything = z.object({ id: z.string() });

/** A page of a list. */
export const Page = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), has_more: z.boolean() });

/** The objects inside events; only their ids are used. */
export const EventObject = z.object({
  id: z.string().nullable().default(null),
  client_reference_id: z.string().nullable().default(null),
  customer: idOf.nullable().default(null),
  subscription: idOf.nullable().default(null),
  charge: idOf.nullable().default(null),
  metadata: Metadata.catch(null),
  parent: z
    .object({ subscription_details: z.object({ subscription: idOf.nullish() }).nullish() })
    .nullish()
    .catch(null),
});
export type EventObject = z.output<typeof EventObject>;
