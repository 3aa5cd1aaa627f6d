import { z } from 'zod';
import { PageUrl } from '../provider-answers.ts';

/** The fields we use of Paystack's responses; all others may change. */

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const cents = z.int().min(0);
const text = z.string().min(1);

const Customer = z.object({ email: z.string().nullish() }).nullish();

export const Authorization = z
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

/** How a payment came about, which we send with it: a page, a page that keeps the card, or a charge. */
const Use = z.enum(['once', 'save-card', 'charge']);
export type Use = z.output<typeof Use>;

/** Metadata comes back as an object or as JSON. */
function parseUse(value: unknown): Use | null {
  let parsed = value;
  if (typeof value === 'string')
    try {
      parsed = JSON.parse(value);
    } catch {
      return null;
    }
  return z.object({ use: Use }).safeParse(parsed).data?.use ?? null;
}

/** In a list, a payment has everything that a fetched one has. */
export const Transaction = z.object({
  id: z.int(),
  status: text,
  reference: text,
  amount: cents,
  currency: z.string().length(3),
  channel: z.string().nullish(),
  gateway_response: z.string().nullish(),
  paid_at: time.nullish(),
  created_at: time,
  metadata: z.unknown().transform(parseUse),
  authorization: Authorization,
  customer: Customer,
  fees: z.number().min(0).nullish(),
});
export type Transaction = z.output<typeof Transaction>;

export const InitializedTransaction = z.object({ authorization_url: PageUrl, reference: text });

/** `paused` means that the bank wants the customer to confirm: then there is little else. */
export const ChargedAuthorization = z.object({
  reference: text,
  paused: z.boolean().default(false),
});

export const Refund = z.object({
  /** The transaction is an object in a created refund and an id in a listed one. */
  transaction: z
    .union([z.int(), z.object({ id: z.int() })])
    .transform((transaction) => (typeof transaction === 'number' ? transaction : transaction.id)),
  transaction_reference: z.string().nullish(),
  /** The dispute that this refund settles. */
  dispute: z.int().nullish().catch(null),
  amount: z.coerce.number().pipe(cents),
  status: text,
  merchant_note: z.string().nullish(),
  updated_at: time.nullish(),
});
export type Refund = z.output<typeof Refund>;

export const Dispute = z.object({
  id: z.int(),
  status: text,
  resolution: z.string().nullish(),
  transaction: z.object({ id: z.int(), reference: text }),
  dueAt: time.nullish(),
  createdAt: time.nullish(),
  updatedAt: time.nullish(),
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

/** A response without content. */
export const Done = z.looseObject({}).nullish();

export const ChargeEvent = z.object({ reference: text });
export const DisputeEvent = z.object({ transaction: z.object({ reference: text }) });
export const RefundEvent = z.object({ transaction_reference: text });
