import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import type { PaymentState } from '../../../ports/payments/payments.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import { updatePayment } from '../checkout/open-page.ts';
import { appendEntry, buildLedgerEntry, toLedgerContext } from '../ledger/ledger-entries.ts';
import { findNextPrice, listNoticesOf } from '../prices/next-price.ts';
import {
  findSubscription,
  isOwing,
  listOpenPayments,
  type PaymentRow,
  type SubscriptionRow,
} from '../queries.ts';
import { endSubscription, updateSubscription } from './change-state.ts';
import { findLateEnd, findRetry } from './schedule.ts';

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
async function endUnpaid(tx: Tx, deps: Deps, current: SubscriptionRow): Promise<void> {
  const context = toLedgerContext(deps);
  const reason = 'The payment that was due couldn’t be charged, and nobody paid it.';
  await endSubscription(tx, current, { reason, left: { way: 'unpaid' } }, context);
  if (current.user_id === null) return;
  const message = { kind: 'unpaid-end' as const, plan: current.next_plan ?? current.plan };
  const key = `unpaid-end:${current.id}:${current.period}`;
  await enqueueMessages(tx, deps, current.user_id, [{ key, message }]);
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
  // Time that was paid for otherwise meanwhile comes first.
  if (isOpen && current.period === row.period && current.next_at <= now)
    await becomeLate(tx, deps, current, { message, isHard, needsMember });
}

/** Days after the first failure on which the member is told. */
const MAIL_DAYS = [0, 1, 3];

/** Tells a member what is owed, or ends the subscription when the time to pay it is over. */
export async function remindLate(tx: Tx, deps: Deps, id: string): Promise<void> {
  const now = deps.clock.now();
  const { calendar } = deps.payments;
  const row = await findSubscription(tx, id);
  if (!row || !isOwing(row) || row.user_id === null || row.late_since === null) return;
  const { user_id: userId, late_since: since } = row;
  const until = findLateEnd(since, calendar);
  const isWaiting = row.retry_at !== null || (await listOpenPayments(tx, id)).some(isOnItsWay);
  if (now >= until && !isWaiting) return endUnpaid(tx, deps, row);
  // After an outage only the newest: three mails in a minute help nobody.
  const day = MAIL_DAYS.findLast((days) => calendar.addDays(since, days) <= now);
  if (day === undefined) return;
  const { amount } = findNextPrice(row, await listNoticesOf(tx, userId), calendar);
  const message = {
    kind: 'failed' as const,
    until,
    reason: row.failure,
    amount,
    day,
    needsMember: row.status === 'needs_member',
    isRetried: row.retry_at !== null && row.provider === deps.payments.name,
  };
  await enqueueMessages(tx, deps, userId, [{ key: `failed:${id}:${since}:${day}`, message }]);
}

const isOnItsWay = ({ state }: { state: string }): boolean =>
  state === 'asked' || state === 'pending';
