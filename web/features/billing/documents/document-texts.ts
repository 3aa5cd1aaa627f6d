import type { Subscription } from '#contract/billing.ts';
import type { CreditNote, Invoice } from '#contract/paying/invoices.ts';

type Card = NonNullable<Subscription['card']>;

/** `Visa ending in 4242, expires 08/29` */
export function describeCard({ brand, last4, expiryMonth, expiryYear }: Card): string {
  const month = String(expiryMonth).padStart(2, '0');
  const year = String(expiryYear).slice(-2);
  return `${brand} ending in ${last4}, expires ${month}/${year}`;
}

export const invoiceStates: Record<Invoice['status'], string> = {
  paid: 'Paid',
  refunded: 'Refunded',
  'partly-refunded': 'Partly refunded',
  disputed: 'Disputed',
  'charged-back': 'Charged back',
};

export const noteTitles: Record<CreditNote['kind'], string> = {
  credit: 'Credit note',
  debit: 'Debit note',
};

export const noteReasons: Record<CreditNote['reason'], string> = {
  refund: 'Refund of the payment.',
  'charge-back': 'The bank took the payment back (chargeback).',
  'refund-failed': 'A refund failed: the amount wasn’t paid back.',
  'charge-back-won': 'The bank returned the payment (chargeback reversed).',
};
