import { z } from 'zod';
import { PageUrl } from '../provider-answers.ts';

/** The fields we use of Paystack's responses; all others may change. */

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const cents = z.int().min(0);
const amountOrText = z.coerce.number().pipe(cents);

/** A plan is a code in some responses, an object in others, and an empty object if there is none. */
const PlanCode = z
  .union([z.string(), z.object({ plan_code: z.string().optional() }), z.null()])
  .optional()
  .transform((plan) => (typeof plan === 'string' ? plan : plan?.plan_code) || null);

export const Customer = z.object({
  id: z.int(),
  customer_code: z.string().min(1),
  email: z.string().nullish(),
});
export type Customer = z.output<typeof Customer>;

const Authorization = z
  .object({
    authorization_code: z.string().nullish(),
    last4: z.string().nullish(),
    exp_month: z.coerce.number().nullish(),
    exp_year: z.coerce.number().nullish(),
    brand: z.string().nullish(),
    card_type: z.string().nullish(),
    /** The same for every customer who pays with this card. */
    signature: z.string().nullish(),
    /** A number in some responses. */
    reusable: z.union([z.boolean(), z.number()]).nullish(),
  })
  .nullish();
export type Authorization = z.output<typeof Authorization>;

/** What we send with a payment to recognise it later. */
export const OurMetadata = z.object({
  purpose: z.enum(['subscription', 'first-payment', 'card-check', 'owed']),
  plan: z.enum(['monthly', 'annual']),
  /** The price the user saw: the current one may have changed by the time this is paid. */
  plan_code: z.string().min(1),
  /** When the subscription charges first. */
  starts_at: z.coerce.number().int(),
  /** The subscription whose missed payment this is. */
  subscription: z.string().min(1).nullish(),
});
export type OurMetadata = z.output<typeof OurMetadata>;

function parseMetadata(value: unknown): OurMetadata | null {
  let parsed = value;
  if (typeof value === 'string')
    try {
      parsed = JSON.parse(value);
    } catch {
      return null;
    }
  return OurMetadata.safeParse(parsed).data ?? null;
}

/** Null for payments we did not start, including renewals. */
const Metadata = z.unknown().transform(parseMetadata);

export const Transaction = z.object({
  id: z.int(),
  status: z.string(),
  reference: z.string().min(1),
  amount: cents,
  currency: z.string().length(3),
  gateway_response: z.string().nullish(),
  paid_at: time.nullish(),
  created_at: time,
  metadata: Metadata,
  authorization: Authorization,
  customer: Customer,
  plan: PlanCode,
  fees: z.number().min(0).nullish(),
});
export type Transaction = z.output<typeof Transaction>;

export const Subscription = z.object({
  subscription_code: z.string().min(1),
  email_token: z.string().min(1),
  status: z.string(),
  amount: cents,
  next_payment_date: time.nullish(),
  createdAt: time,
  customer: Customer,
  plan: PlanCode,
  authorization: Authorization,
});
export type Subscription = z.output<typeof Subscription>;

/** The response to a creation has ids where a fetched one has objects. */
export const CreatedSubscription = z.object({ subscription_code: z.string().min(1) });

export const InitializedTransaction = z.object({
  authorization_url: PageUrl,
  access_code: z.string().min(1),
  reference: z.string(),
});

export const PaystackPlan = z.object({
  plan_code: z.string(),
  amount: cents,
  currency: z.string(),
  interval: z.string(),
});
export const ManageLink = z.object({ link: PageUrl });

/** The transaction is an object in a created refund and an id in a listed one. */
export const Refund = z.object({
  transaction: z
    .union([z.int(), z.object({ id: z.int() })])
    .transform((transaction) => (typeof transaction === 'number' ? transaction : transaction.id)),
  /** The dispute that this refund settles. */
  dispute: z.int().nullish().catch(null),
  amount: amountOrText,
  status: z.string(),
  merchant_note: z.string().nullish(),
});
export type Refund = z.output<typeof Refund>;

export const Dispute = z.object({
  id: z.int(),
  status: z.string(),
  resolution: z.string().nullish(),
  transaction: z.object({ id: z.int() }),
  dueAt: time.nullish(),
  createdAt: time.nullish(),
});
export type Dispute = z.output<typeof Dispute>;

/** Older payouts have neither a currency nor fees. */
export const Settlement = z.object({
  id: z.int(),
  status: z.string(),
  currency: z.string().nullish(),
  total_amount: z.int(),
  effective_amount: z.int().nullish(),
  total_fees: z.int().nullish(),
  settlement_date: time,
});

/** Responses whose content we don't need. */
export const Done = z.unknown().optional();

const code = z.string().min(1);
const CustomerCode = z.object({ customer_code: code.nullish() }).nullish();
const SubscriptionCode = z.object({ subscription_code: code, plan: PlanCode });

export const ChargeEvent = z.object({
  reference: code,
  metadata: Metadata,
  customer: CustomerCode,
  plan: PlanCode,
});
export const DisputeEvent = z.object({
  transaction: z.object({ reference: code }),
  customer: CustomerCode,
});
export const RefundEvent = z.object({ transaction_reference: code });
export const SubscriptionEvent = SubscriptionCode.extend({ customer: CustomerCode });
export const InvoiceEvent = z.object({
  subscription: SubscriptionCode.nullish(),
  customer: CustomerCode,
});
export const ExpiringCardsEvent = z.array(InvoiceEvent);
