import type { Plan } from '#contract/rules/plans.ts';

export type InvoiceStatus = 'paid' | 'refunded' | 'partly-refunded' | 'disputed' | 'charged-back';

/** A document that never changes: only `refunded` and `status`, which it doesn't print, follow the payment. */
export type InvoicesTable = {
  id: string;
  number: number;
  /** Null after the account was deleted: invoices are kept anonymously. */
  user_id: string | null;
  provider: string;
  charge_id: string;
  /** Null for a payment for some months. */
  plan: Plan | null;
  months: number | null;
  at: number;
  from_at: number;
  to_at: number;
  amount: number;
  refunded: number;
  currency: string;
  card: string | null;
  status: InvoiceStatus;
  /** JSON: the seller on that day; null if the settings didn't say. */
  seller: string | null;
  /** As they were on that day; emptied when the account is deleted. */
  buyer_name: string | null;
  buyer_email: string | null;
  description: string | null;
  /** Hundredths of a percent; null if no VAT was charged. */
  vat_rate: number | null;
  /** Cents of VAT in the amount. */
  vat: number;
  /** Cents that the provider kept; null if it doesn't say. */
  fee: number | null;
};

export type CreditNoteReason = 'refund' | 'charge-back' | 'refund-failed' | 'charge-back-won';

/** A refund of an invoice, or a debit note that takes a refund back because it failed. */
export type CreditNotesTable = {
  id: string;
  kind: 'credit' | 'debit';
  number: number;
  invoice_id: string;
  at: number;
  /** Cents, below zero on a debit note. */
  amount: number;
  vat: number;
  currency: string;
  reason: CreditNoteReason;
};

/** Money in (above zero) and out (below zero) for payments without an invoice. */
export type RefusedPaymentsTable = {
  id: string;
  provider: string;
  charge_id: string;
  at: number;
  /** Cents. */
  amount: number;
  currency: string;
  fee: number | null;
  because: string;
};

export type BooksTables = {
  invoices: InvoicesTable;
  credit_notes: CreditNotesTable;
  refused_payments: RefusedPaymentsTable;
};
