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
  /** When it was paid. */
  at: number;
  /** The date of the document; rises with the number. */
  issued_at: number;
  /** The calendar day that decides its month: of the payment, or the first that wasn't closed yet. */
  booked_on: string;
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
  /** Several lines; null unless the buyer wanted it on the invoice. */
  buyer_address: string | null;
  buyer_vat_number: string | null;
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
  issued_at: number;
  booked_on: string;
  /** Cents, below zero on a debit note. */
  amount: number;
  vat: number;
  currency: string;
  reason: CreditNoteReason;
};

/**
 * Money without an invoice: a payment that we didn't accept, a payment that only checked a card, or a
 * fee that was told after its month was closed.
 */
export type RefusedPaymentKind = 'payment' | 'card-check' | 'fee';

/** Money in (above zero) and out (below zero) for payments without an invoice. */
type RefusedPaymentsTable = {
  id: string;
  kind: RefusedPaymentKind;
  provider: string;
  charge_id: string;
  at: number;
  booked_on: string;
  /** Cents. */
  amount: number;
  currency: string;
  fee: number | null;
  reason: string;
};

/** What a member wants on invoices. */
type BuyerDetailsTable = {
  user_id: string;
  name: string;
  address: string;
  /** Empty if there is none. */
  vat_number: string;
  updated_at: number;
};

export type BooksTables = {
  buyer_details: BuyerDetailsTable;
  invoices: InvoicesTable;
  credit_notes: CreditNotesTable;
  refused_payments: RefusedPaymentsTable;
};
