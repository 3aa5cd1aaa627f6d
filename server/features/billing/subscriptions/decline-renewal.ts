import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import type { PaymentState } from '../../../ports/payments/payments.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import { updatePayment } from '../checkout/update-payment.ts';
import { appendEntry, buildLedgerEntry, toLedgerContext } from '../ledger/ledger-entries.ts';
import { findSubscription, type PaymentRow, type SubscriptionRow } from '../queries.ts';
import { endSubscription, updateSubscription } from './change-state.ts';
import { findRetry } from './schedule.ts';

type Decline = { message: string; isHard: boolean; needsMember: boolean };

/** From now on a payment is owed: by another attempt, or by the member on a page. */
export async function becomeLate(
  tx: Tx,
  deps: Deps,
  current: SubscriptionRow,
  { message, isHard, needsMember }: Decline,
): Promise<void> {
  const context = toLedgerContext(deps);
  const { now, calendar } = context;
  const late_since = current.late_since ?? now;
  const retry_at = isHard || needsMember ? null : findRetry(late_since, now, calendar);
  const status = needsMember ? ('needs_member' as const) : ('late' as const);
  await updateSubscription(tx, current.id, { status, late_since, retry_at, failure: message }, now);
  const isOver = retry_at === null && !isHard && !needsMember;
  if (isOver) await endUnpaid(tx, deps, { ...current, late_since });
}

/** The schedule is over: nothing more is charged, and the member is told. */
export async function endUnpaid(tx: Tx, deps: Deps, current: SubscriptionRow): Promise<void> {
  const context = toLedgerContext(deps);
  const because = 'The payment that was due couldn’t be charged, and nobody paid it.';
  await endSubscription(tx, current, { because, actor: 'system' }, context);
  if (current.user_id === null) return;
  const message = { kind: 'unpaid-end' as const, plan: current.next_plan ?? current.plan };
  const key = `unpaid-end:${current.id}:${current.period}`;
  await enqueueMessages(tx, current.user_id, [{ key, message }], context.now);
}

/** Closes an attempt. The next one has another reference, and comes tomorrow at the earliest. */
export async function declineRenewal(
  tx: Tx,
  deps: Deps,
  row: PaymentRow,
  state: PaymentState,
): Promise<void> {
  const context = toLedgerContext(deps);
  const { now } = context;
  const message = state.failure?.message ?? 'The bank declined the payment.';
  const isHard = state.failure?.isHard ?? false;
  const needsMember = state.status === 'needs-member';
  await updatePayment(
    tx,
    row,
    {
      state: 'failed',
      charge_id: state.chargeId,
      failure: message,
      is_hard: isHard ? 1 : 0,
      check_at: null,
    },
    now,
  );
  const current = await findSubscription(tx, row.subscription_id ?? '');
  if (!current || row.user_id === null) return;
  const entry = buildLedgerEntry('charge-failed', now, message, {
    provider: row.provider,
    charge_id: state.chargeId,
    subscription_id: current.id,
    plan: row.plan,
    amount: row.amount,
    currency: row.currency,
    actor: 'provider',
  });
  await appendEntry(tx, row.user_id, entry, context);
  const isOpen = current.status !== 'ending' && current.status !== 'ended';
  if (isOpen && current.period === row.period)
    await becomeLate(tx, deps, current, { message, isHard, needsMember });
}
