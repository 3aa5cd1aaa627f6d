import type { Subscription } from '#contract/billing.ts';
import type { WithdrawalsTable } from '../../../db/tables/legal-tables.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import type { LedgerEntry } from '../queries.ts';

export type WithdrawalRow = WithdrawalsTable;

/** What the ledger says about the end of a withdrawn subscription. */
export const WITHDRAWN = {
  kind: 'ended',
  because: 'Member cancelled within the cooling-off period and gets the payment back.',
  detail: null,
  actor: 'user',
} as const;

/** A first payment that its member can still get back, and the subscription that it started. */
export type WithdrawablePayment = {
  chargeId: string;
  subscriptionId: string;
  amount: number;
  currency: string;
  until: number;
};

type Rules = { provider: string; coolingOffDays: number; calendar: Calendar; now: number };

/** The first payment of a subscription, untouched and recent. */
export function findWithdrawable(
  { ledger }: { ledger: readonly LedgerEntry[] },
  { provider, coolingOffDays, calendar, now }: Rules,
): WithdrawablePayment | null {
  const charges = ledger.filter(({ kind }) => kind === 'charge');
  const last = charges.at(-1);
  if (!last || coolingOffDays === 0 || last.provider !== provider) return null;
  const { charge_id: chargeId, subscription_id: subscriptionId, amount, currency } = last;
  const isFirst = charges.every((one) => one === last || one.subscription_id !== subscriptionId);
  const isTouched = ledger.some(
    (one) => one.charge_id === chargeId && ['refund', 'dispute', 'dispute-lost'].includes(one.kind),
  );
  const until = calendar.addDays(last.at, coolingOffDays);
  if (chargeId === null || subscriptionId === null || !isFirst || isTouched) return null;
  if (!amount || !currency || now >= until) return null;
  return { chargeId, subscriptionId, amount, currency, until };
}

/** What the subscription page shows: an offer, or that it was accepted and is being worked on. */
export function presentWithdrawal(
  withdrawable: WithdrawablePayment | null,
  withdrawal: WithdrawalRow | undefined,
): Subscription['withdrawal'] {
  if (withdrawal)
    return withdrawal.done_at === null
      ? { amount: withdrawal.amount, until: null, isRequested: true }
      : null;
  return withdrawable
    ? { amount: withdrawable.amount, until: withdrawable.until, isRequested: false }
    : null;
}
