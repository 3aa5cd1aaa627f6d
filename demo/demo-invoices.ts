import type { InvoicesTable, LedgerTable } from '#server/db/billing-tables.ts';
import type { Calendar } from '#server/ports/payments/payments.ts';

/** An invoice for each of these payments, numbered in their order from `first` on. */
export const demoInvoices = (
  ledger: readonly LedgerTable[],
  calendar: Calendar,
  first: number,
): InvoicesTable[] =>
  ledger
    .filter(({ kind }) => kind === 'charge')
    .toSorted((a, b) => a.at - b.at)
    .map(({ charge_id, user_id, provider, plan, at, amount, currency }, index) => ({
      id: `invoice-${charge_id}`,
      number: first + index,
      user_id,
      provider: provider ?? '',
      charge_id: charge_id ?? '',
      plan: plan ?? 'monthly',
      at,
      from_at: at,
      to_at: calendar.addMonths(at, plan === 'annual' ? 12 : 1),
      amount: amount ?? 0,
      refunded: 0,
      currency: currency ?? '',
      card: null,
      status: 'paid',
    }));
