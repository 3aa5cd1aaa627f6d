import type { Subscription } from '#contract/billing.ts';
import type { WithdrawalsTable } from '../../../db/legal-tables.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import type { LedgerEntry, ProviderSubscriptionRow } from '../queries.ts';

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
  providerSubscriptionId: string;
  amount: number;
  currency: string;
  reference: string | null;
  until: number;
};

type State = {
  ledger: readonly LedgerEntry[];
  providerSubscriptions: readonly ProviderSubscriptionRow[];
};

type Rules = { provider: string; coolingOffDays: number; calendar: Calendar; now: number };

/**
 * The first payment of a subscription, untouched and recent. A subscription that replaces another one,
 * after a change of plan for example, is not a new one.
 */
export function findWithdrawable(
  { ledger, providerSubscriptions }: State,
  { provider, coolingOffDays, calendar, now }: Rules,
): WithdrawablePayment | null {
  const charges = ledger.filter(({ kind }) => kind === 'charge');
  const last = charges.at(-1);
  if (!last || coolingOffDays === 0 || last.provider !== provider || last.charge_id === null)
    return null;
  const { charge_id: chargeId, provider_subscription_id: id, amount, currency } = last;
  const row = providerSubscriptions.find(
    (one) => one.provider === provider && one.provider_subscription_id === id,
  );
  const isReplacement = providerSubscriptions.some((one) => one.replaced_by === id);
  const isFirst = charges.every((one) => one === last || one.provider_subscription_id !== id);
  const isTouched = ledger.some(
    (one) => one.charge_id === chargeId && ['refund', 'dispute', 'dispute-lost'].includes(one.kind),
  );
  const until = calendar.addDays(last.at, coolingOffDays);
  if (!row || row.is_duplicate === 1 || row.reference === null) return null;
  if (id === null || isReplacement || !isFirst || isTouched || !amount || !currency) return null;
  if (now >= until) return null;
  const { reference } = row;
  return { chargeId, providerSubscriptionId: id, amount, currency, reference, until };
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
