import type { Tx } from '../../../db/connect.ts';
import type { LedgerEntryKind } from '../../../db/types/billing-tables.ts';
import type { Deps } from '../../../deps.ts';
import {
  appendEntry,
  buildLedgerEntry,
  toLedgerContext,
  type LedgerContext,
} from '../ledger/ledger-entries.ts';
import { recordDeparture, type Leaving } from '../../departures/service.ts';
import { lockAccount, type SubscriptionRow } from '../queries.ts';

export const updateSubscription = async (
  tx: Tx,
  id: string,
  values: Partial<SubscriptionRow>,
  now: number,
): Promise<void> => {
  await tx
    .updateTable('subscriptions')
    .set({ ...values, updated_at: now })
    .where('id', '=', id)
    .execute();
};

/** A member whose next payment comes sooner than they were told has at least these days before it. */
const NOTICE_DAYS = 7;

/** Time that moved the next payment was taken back: it is due at the end of what is left. */
export async function moveNextPaymentBack(
  tx: Tx,
  userId: string,
  paidThrough: number | null,
  { now, calendar }: LedgerContext,
): Promise<void> {
  const next_at = Math.max(paidThrough ?? now, calendar.addDays(now, NOTICE_DAYS));
  await tx
    .updateTable('subscriptions')
    .set({ next_at, updated_at: now })
    .where('user_id', '=', userId)
    .where('status', 'in', ['trial', 'active', 'ending'])
    .where('next_at', '>', next_at)
    .execute();
}

type Cause = { reason: string; actor?: string };

/** `left` is null where a new subscription takes over. */
type Ending = Cause & { left: Leaving | null };

/** Says in the ledger what became of a subscription. A deleted account has none. */
export async function recordChange(
  tx: Tx,
  { user_id, provider, id, plan }: SubscriptionRow,
  kind: LedgerEntryKind,
  { reason, actor = 'system' }: Cause,
  context: LedgerContext,
): Promise<void> {
  if (user_id === null) return;
  const facts = { provider, subscription_id: id, plan, actor };
  await appendEntry(tx, user_id, buildLedgerEntry(kind, context.now, reason, facts), context);
}

/** From now on nothing is charged. Paid time stays; the caller has locked the account. */
export async function endSubscription(
  tx: Tx,
  row: SubscriptionRow,
  ending: Ending,
  context: LedgerContext,
  kind: 'ended' | 'cancelled' = 'ended',
): Promise<void> {
  const { now } = context;
  const ended = { status: 'ended' as const, ended_at: now, retry_at: null, held_since: null };
  await updateSubscription(tx, row.id, ended, now);
  await recordChange(tx, row, kind, ending, context);
  if (ending.left) await recordDeparture(tx, row, ending.left, { ...context, endsAt: now });
}

/** It lasts until the end of the paid time, or ends now if there is none left or a payment is owed. */
export async function stopRenewing(
  tx: Tx,
  row: SubscriptionRow,
  ending: Ending & { left: Leaving },
  context: LedgerContext,
): Promise<void> {
  const { now } = context;
  if (row.status === 'ending' || row.status === 'ended') return;
  const isOver = row.status === 'late' || row.status === 'needs_member' || row.next_at <= now;
  await updateSubscription(tx, row.id, { cancelled_at: now }, now);
  if (isOver) return endSubscription(tx, row, ending, context, 'cancelled');
  await updateSubscription(tx, row.id, { status: 'ending' }, now);
  await recordChange(tx, row, 'cancelled', ending, context);
  await recordDeparture(tx, row, ending.left, { ...context, endsAt: row.next_at });
}

/** Ends what was cancelled and whose paid time is over. */
export async function endFinished(deps: Deps, row: SubscriptionRow): Promise<void> {
  const context = toLedgerContext(deps);
  await deps.database.db.transaction().execute(async (tx) => {
    if (row.user_id !== null) await lockAccount(tx, row.user_id);
    const { numUpdatedRows } = await tx
      .updateTable('subscriptions')
      .set({ status: 'ended', ended_at: context.now, updated_at: context.now })
      .where('id', '=', row.id)
      .where('status', '=', 'ending')
      .where('next_at', '<=', context.now)
      .executeTakeFirst();
    const reason = 'The time that was paid for is over.';
    if (numUpdatedRows > 0n) await recordChange(tx, row, 'ended', { reason }, context);
  });
}
