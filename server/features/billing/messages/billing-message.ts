import { z } from 'zod';
import type { InvoiceRow } from '../queries.ts';

const plan = z.enum(['monthly', 'annual']);
const time = z.int();

/** The facts of a message. It contains no personal data: the job looks up the recipient. */
export const BillingMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('welcome'), plan, until: time.nullable() }),
  z.object({ kind: z.literal('receipt'), provider: z.string(), chargeId: z.string() }),
  z.object({ kind: z.literal('reminder'), at: time, amount: z.int() }),
  z.object({ kind: z.literal('failed'), until: time, reason: z.string().nullable() }),
  z.object({ kind: z.literal('grace-ending'), until: time }),
  z.object({ kind: z.literal('cancelled'), until: time.nullable() }),
  z.object({ kind: z.literal('duplicate') }),
  z.object({
    kind: z.literal('refused'),
    amount: z.int(),
    currency: z.string(),
    isCouponSpent: z.boolean().default(false),
    /** It was charged by a subscription that goes on. */
    isRenewal: z.boolean().default(false),
  }),
  z.object({
    kind: z.literal('other-amount'),
    amount: z.int(),
    agreed: z.int(),
    currency: z.string(),
  }),
  z.object({ kind: z.literal('unfinished'), amount: z.int(), currency: z.string() }),
  z.object({
    kind: z.literal('dispute-opened'),
    amount: z.int(),
    currency: z.string(),
    respondBy: time.nullable(),
  }),
]);
export type BillingMessage = z.infer<typeof BillingMessage>;

export type MessageContext = {
  to: string;
  username: string;
  siteName: string;
  origin: string;
  timeZone: string;
  /** For a receipt. */
  invoice: InvoiceRow | null;
};

export type MessageText = {
  subject: string;
  lines: string[];
  link: { label: string; path: string };
};

/** Writes messages of these kinds. Null when there is no longer anything to say. */
export type MessageTexts<Kind extends BillingMessage['kind']> = {
  [K in Kind]: (
    message: Extract<BillingMessage, { kind: K }>,
    context: MessageContext,
  ) => MessageText | null;
};

export const toSubscription = { label: 'Your subscription', path: '/subscription' };
export const toCard = { label: 'Update your card', path: '/subscription' };
