import { z } from 'zod';
import { Card, PlanName } from '../billing.ts';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';
import { CURRENCY } from '../rules/plans.ts';
import { line, Lines, VatNumber } from '../rules/text-fields.ts';

const cents = z.int().min(0);
const time = z.int();
const currency = z.literal(CURRENCY);

/** A refund of an invoice, or a debit note that takes it back because the refund failed. */
export const CreditNote = z.object({
  id: z.string(),
  kind: z.enum(['credit', 'debit']),
  /** `CN-000001` or `DN-000001`, each series without gaps. */
  number: z.string(),
  /** When the money moved. */
  at: time,
  /** The date of the document. */
  issuedAt: time,
  amount: cents,
  reason: z.enum(['refund', 'charge-back', 'refund-failed', 'charge-back-won']),
});
export type CreditNote = z.infer<typeof CreditNote>;

export const Invoice = z.object({
  id: z.string(),
  /** Consecutive, without gaps, as accounting requires. */
  number: z.string(),
  /** When it was paid. */
  at: time,
  /** The date of the document: it rises with the number. */
  issuedAt: time,
  /** Null for a payment for some months. */
  plan: PlanName.nullable(),
  months: z.int().nullable(),
  from: time,
  to: time,
  amount: cents,
  /** What happened to the payment later; the invoice itself doesn't change. */
  refunded: cents,
  currency,
  card: Card.nullable(),
  status: z.enum(['paid', 'refunded', 'partly-refunded', 'disputed', 'charged-back']),
  creditNotes: z.array(CreditNote),
});
export type Invoice = z.infer<typeof Invoice>;

/** The seller on the day of the document; empty texts where the settings said nothing. */
export const Seller = z.object({
  name: z.string(),
  status: z.string(),
  /** Several lines. */
  address: z.string(),
  registration: z.string(),
  vatNumber: z.string(),
  phone: z.string(),
  email: z.string(),
});
export type Seller = z.infer<typeof Seller>;

/** Above this amount, in cents, a tax invoice has the buyer's name, address and VAT number, if any. */
export const FULL_TAX_INVOICE_ABOVE = 5_000_00;

/** What a member wants on invoices instead of the username. */
export const BuyerDetails = z.strictObject({
  name: line(120).min(1, 'Enter a name.'),
  address: Lines.min(1, 'Enter an address.'),
  /** Empty if the buyer isn't registered. */
  vatNumber: VatNumber,
});
export type BuyerDetails = z.infer<typeof BuyerDetails>;

/** What every printed document says. */
const documentFields = {
  description: z.string(),
  seller: Seller,
  /** Null after the account was deleted. */
  buyer: z
    .object({ name: z.string(), email: z.string(), address: z.string(), vatNumber: z.string() })
    .nullable(),
  /** The law wants the buyer's address on it, and we don't have it yet. */
  lacksBuyer: z.boolean(),
  /** Null if no VAT was charged. The amount is the sum of `vat` and `excluding`. */
  tax: z.object({ percent: z.number(), vat: cents, excluding: cents }).nullable(),
};

export const InvoicePage = Invoice.extend(documentFields);
export type InvoicePage = z.infer<typeof InvoicePage>;

export const CreditNotePage = CreditNote.extend({
  currency,
  invoice: z.object({ id: z.string(), number: z.string(), issuedAt: time }),
  ...documentFields,
});
export type CreditNotePage = z.infer<typeof CreditNotePage>;

export const invoiceRoutes = defineRoutes({
  'GET /api/subscription/invoices': {
    summary: 'Your invoices, newest first.',
    query: PageQuery,
    response: pageOf(Invoice),
    errors: ['unauthenticated'],
  },
  'GET /api/subscription/invoices/:id': {
    summary: 'One invoice, with everything needed to print it.',
    params: z.object({ id: z.string().max(64) }),
    response: InvoicePage,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/subscription/credit-notes/:id': {
    summary: 'One credit note or debit note, with everything needed to print it.',
    params: z.object({ id: z.string().max(64) }),
    response: CreditNotePage,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/subscription/buyer': {
    summary: 'What your invoices say about you besides your e-mail address.',
    response: z.object({ buyer: BuyerDetails.nullable() }),
    errors: ['unauthenticated'],
  },
  'PUT /api/subscription/buyer': {
    summary: 'Put a name, an address and a VAT number on your invoices from now on.',
    body: BuyerDetails,
    response: z.object({ buyer: BuyerDetails.nullable() }),
    errors: ['unauthenticated', 'rate_limited'],
  },
  'DELETE /api/subscription/buyer': {
    summary: 'Take these details off your invoices from now on.',
    response: z.object({ buyer: z.null() }),
    errors: ['unauthenticated', 'rate_limited'],
  },
});
