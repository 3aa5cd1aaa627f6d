import { z } from 'zod';
import { CreditNotePage, InvoicePage } from '../paying/invoices.ts';
import { defineRoutes } from '../route.ts';
import { findPeriodProblem } from './book-periods.ts';
import { VAT_CATEGORIES } from './settings.ts';

/** In the site's time zone: `2026-11`. */
const BookMonth = z.string().regex(/^20\d{2}-(?:0[1-9]|1[0-2])$/, 'Enter a month as YYYY-MM.');

/** A month or any days, in the site's time zone: `2026-11`, `2026-10-01_2026-11-30`. */
const BookPeriod = z.string().superRefine((text, context) => {
  const message = findPeriodProblem(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

/** The tables of a period that an accountant downloads, and the files of accounting programs. */
const BOOK_SHEETS = [
  'sales',
  'refunds',
  'not-invoiced',
  'payouts',
  'payout-payments',
  'vat',
  'xero',
  'sage',
] as const;
export type BookSheet = (typeof BOOK_SHEETS)[number];

const cents = z.int();
const count = z.int().min(0);

/** An amount that includes its VAT. */
const Sum = z.object({ amount: cents, vat: cents, excluding: cents });

const OtherMoney = z.object({
  received: cents,
  returned: cents,
  payments: count,
  /** What the provider kept of them; not part of the fees of sales. */
  fees: cents,
});

export const BookTotals = z.object({
  /** Calendar days, both inclusive. */
  from: z.string(),
  to: z.string(),
  /** Documents whose payment or refund belongs to a month that was closed before we knew of it. */
  late: count,
  sales: Sum.extend({
    invoices: count,
    /** Includes those of earlier payments that the provider reported after their month was closed. */
    fees: cents,
    /** Payments whose fee the provider didn't report. */
    withoutFee: count,
  }),
  /** Debit notes are subtracted. */
  refunds: Sum.extend({ creditNotes: count, debitNotes: count }),
  /** Sales minus refunds. */
  net: Sum,
  /** Payments that weren't accepted, and their refunds. They have no invoice. */
  notInvoiced: OtherMoney,
  /** Small payments that only checked a card, and went back. */
  cardChecks: OtherMoney,
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

/** Money in a payout: below zero if it went back. */
export const PayoutPayment = z.object({
  kind: z.enum(['sale', 'refund', 'not-invoiced', 'card-check']),
  /** The number of its document; empty if it has none. */
  number: z.string(),
  at: z.int(),
  amount: cents,
  fee: cents.nullable(),
});
export type PayoutPayment = z.infer<typeof PayoutPayment>;

/** How many payments of a payout the page lists; the table has all of them. */
export const PAYOUT_PAYMENTS_SHOWN = 200;

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
      /** Derived from dates and amounts, because the provider names no payments. */
      payments: z.array(PayoutPayment),
      count,
      /** What was paid out minus these payments; 0 if they explain it to the cent. */
      difference: cents,
    }),
  ),
});
export type Payouts = z.infer<typeof Payouts>;

const errors = ['unauthenticated', 'not_found'] as const;
const period = z.object({ period: BookPeriod });
const Reason = z.string().trim().min(1, 'Enter a reason.').max(500, 'Use at most 500 characters.');
const id = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });
const owner = { userId: z.string().nullable() };

export const BookMonths = z.object({
  /** From the first payment to this month, newest first. */
  months: z.array(BookMonth),
  /** The last month that is closed, with all before it; null if none is. */
  closed: BookMonth.nullable(),
  vatCategory: z.enum(VAT_CATEGORIES),
  yearEndMonth: z.int(),
});
export type BookMonths = z.infer<typeof BookMonths>;

export const bookRoutes = defineRoutes({
  'GET /api/admin/books': {
    summary: 'The months with payments, which of them are closed, and how the seller reports.',
    response: BookMonths,
    errors,
  },
  'POST /api/admin/books/close': {
    summary: 'Close a month and all before it: nothing is booked in them any more.',
    body: z.strictObject({ month: BookMonth }),
    response: BookMonths,
    errors,
  },
  'POST /api/admin/books/reopen': {
    summary: 'Open the last closed month again.',
    body: z.strictObject({ month: BookMonth, reason: Reason }),
    response: BookMonths,
    errors,
  },
  'GET /api/admin/books/:period': {
    summary: 'What was sold, refunded and owed as VAT in a period.',
    params: period,
    response: BookTotals,
    errors,
  },
  'GET /api/admin/books/:period/payouts': {
    summary: 'What the payment provider paid out in a period.',
    params: period,
    response: Payouts,
    errors: [...errors, 'provider_unavailable'],
  },
  'GET /api/admin/books/:period/:sheet.csv': {
    summary: 'A table of the period as CSV, for the accountant.',
    params: period.extend({ sheet: z.enum(BOOK_SHEETS, { error: 'Unknown table.' }) }),
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
