import { z } from 'zod';
import { CreditNotePage, InvoicePage } from '../billing.ts';
import { defineRoutes } from '../route.ts';

/** In the site's time zone: `2026-11`. */
export const BookMonth = z
  .string()
  .regex(/^20\d{2}-(?:0[1-9]|1[0-2])$/, 'Enter a month as YYYY-MM.');

/** The tables of a month that an accountant downloads. */
export const BOOK_SHEETS = ['sales', 'refunds', 'not-invoiced', 'payouts', 'vat'] as const;
export type BookSheet = (typeof BOOK_SHEETS)[number];

const cents = z.int();
const count = z.int().min(0);

/** An amount that includes its VAT. */
const Sum = z.object({ amount: cents, vat: cents, excluding: cents });

export const BookTotals = z.object({
  month: BookMonth,
  sales: Sum.extend({
    invoices: count,
    fees: cents,
    /** Payments whose fee the provider didn't tell. */
    withoutFee: count,
  }),
  /** Debit notes are subtracted. */
  refunds: Sum.extend({ creditNotes: count, debitNotes: count }),
  /** Sales minus refunds. */
  net: Sum,
  /** Payments that weren't accepted, and their refunds. They have no invoice. */
  notInvoiced: z.object({
    received: cents,
    returned: cents,
    payments: count,
    /** What the provider kept of them; not part of the fees of sales. */
    fees: cents,
  }),
  /** One line per rate; without VAT the percentage is null. */
  vat: z.array(
    z.object({
      percent: z.number().nullable(),
      sales: Sum,
      refunds: Sum,
      /** VAT of sales minus that of refunds. */
      due: cents,
    }),
  ),
});
export type BookTotals = z.infer<typeof BookTotals>;

export const Payouts = z.object({
  provider: z.string(),
  payouts: z.array(
    z.object({
      id: z.string(),
      at: z.int(),
      amount: cents,
      /** Null if the provider doesn't say. */
      fees: cents.nullable(),
      currency: z.string(),
    }),
  ),
});
export type Payouts = z.infer<typeof Payouts>;

const errors = ['unauthenticated', 'not_found'] as const;
const month = z.object({ month: BookMonth });
const id = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });
const owner = { userId: z.string().nullable() };

export const bookRoutes = defineRoutes({
  'GET /api/admin/books': {
    summary: 'The months with payments, newest first.',
    response: z.object({ months: z.array(BookMonth) }),
    errors,
  },
  'GET /api/admin/books/:month': {
    summary: 'What was sold, refunded and owed as VAT in a month.',
    params: month,
    response: BookTotals,
    errors,
  },
  'GET /api/admin/books/:month/payouts': {
    summary: 'What the payment provider paid out in a month.',
    params: month,
    response: Payouts,
    errors: [...errors, 'provider_unavailable'],
  },
  'GET /api/admin/books/:month/:sheet.csv': {
    summary: 'A table of the month as CSV, for the accountant.',
    params: month.extend({ sheet: z.enum(BOOK_SHEETS, { error: 'Unknown table.' }) }),
    response: 'file',
    errors: [...errors, 'provider_unavailable'],
  },
  'GET /api/admin/invoices/:id': {
    summary: 'Any member’s invoice, also of a deleted account.',
    params: id,
    response: InvoicePage.extend(owner),
    errors,
  },
  'GET /api/admin/credit-notes/:id': {
    summary: 'Any member’s credit note or debit note.',
    params: id,
    response: CreditNotePage,
    errors,
  },
});
