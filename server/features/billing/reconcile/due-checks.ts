import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import { startAfter } from '../../../db/keyset.ts';
import { readInPages } from '../../../db/export-rows.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import type { ProviderSubscriptionRow } from '../queries.ts';

const HOUR_IN_DAYS = 1 / 24;
const WEEK_IN_DAYS = 7;
/** A bank may charge back a payment this long after the last one. */
const DISPUTE_DAYS = 120;

/** When to ask the provider about a subscription without a webhook event: sooner near a payment. */
export function planCheck(
  { status, next_charge_at: next, is_duplicate, replaced_by, updated_at }: ProviderSubscriptionRow,
  now: number,
  calendar: Calendar,
): number | null {
  if (status === 'ended')
    return now < calendar.addDays(updated_at, DISPUTE_DAYS)
      ? calendar.addDays(now, WEEK_IN_DAYS)
      : null;
  const isNear = next !== null && next <= calendar.addDays(now, 1);
  const isToCancel = is_duplicate === 1 || (replaced_by !== null && status === 'active');
  const isUrgent = status === 'late' || isToCancel || isNear;
  return calendar.addDays(now, isUrgent ? HOUR_IN_DAYS : 1);
}

/**
 * Checks that were planned while the clock was fast would wait until it gets there again. None waits
 * longer than its period, so those are due now.
 */
export async function repairCheckTimes(db: Db, now: number, calendar: Calendar): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ check_at: now })
    .where('check_at', '>', calendar.addDays(now, HOUR_IN_DAYS))
    .execute();
  await db
    .updateTable('provider_subscriptions')
    .set({ check_at: now })
    .where('check_at', '>', calendar.addDays(now, 1))
    .where((eb) =>
      eb('status', '!=', 'ended').or('check_at', '>', calendar.addDays(now, WEEK_IN_DAYS)),
    )
    .execute();
}

type OpenCheckout = { reference: string; user_id: string | null; created_at: number };

const readOpenCheckouts = (db: Db) =>
  readInPages((after: OpenCheckout | null, limit) =>
    db
      .selectFrom('checkouts')
      .select(['reference', 'user_id', 'created_at'])
      .where('state', '=', sql.lit('open'))
      .where(
        startAfter(['created_at', 'reference'], after && [after.created_at, after.reference], 0),
      )
      .orderBy('created_at')
      .orderBy('reference')
      .limit(limit)
      .execute(),
  );

type WatchedCheckout = { reference: string; user_id: string | null; check_at: number | null };

/** Paid, but still without a subscription. */
const readDueCheckouts = (db: Db, now: number) =>
  readInPages((after: WatchedCheckout | null, limit) =>
    db
      .selectFrom('checkouts')
      .select(['reference', 'user_id', 'check_at'])
      .where('check_at', '<=', now)
      .where(
        startAfter(['check_at', 'reference'], after && [after.check_at ?? 0, after.reference], 0),
      )
      .orderBy('check_at')
      .orderBy('reference')
      .limit(limit)
      .execute(),
  );

type DueSubscription = Pick<
  ProviderSubscriptionRow,
  'id' | 'provider' | 'provider_subscription_id' | 'status' | 'user_id' | 'check_at'
>;

const readDueSubscriptions = (db: Db, now: number) =>
  readInPages((after: DueSubscription | null, limit) =>
    db
      .selectFrom('provider_subscriptions')
      .select(['id', 'provider', 'provider_subscription_id', 'status', 'user_id', 'check_at'])
      .where('check_at', '<=', now)
      .where(startAfter(['check_at', 'id'], after && [after.check_at ?? 0, after.id], 0))
      .orderBy('check_at')
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

/** A user to reconcile, or something that may still charge the owner of a deleted account. */
type DueCheck =
  | { kind: 'user'; userId: string }
  | { kind: 'checkout'; reference: string }
  | { kind: 'subscription'; provider: string; providerSubscriptionId: string };

export async function* listAccountsDueForCheck(db: Db, now: number): AsyncGenerator<DueCheck> {
  const userIds = new Set<string>();
  for await (const { user_id, reference } of readOpenCheckouts(db))
    if (user_id) userIds.add(user_id);
    else yield { kind: 'checkout', reference };
  for await (const { user_id, reference } of readDueCheckouts(db, now))
    if (user_id) userIds.add(user_id);
    else yield { kind: 'checkout', reference };
  for await (const row of readDueSubscriptions(db, now))
    if (row.user_id) userIds.add(row.user_id);
    else if (row.status !== 'ended')
      yield {
        kind: 'subscription',
        provider: row.provider,
        providerSubscriptionId: row.provider_subscription_id,
      };
  for (const userId of userIds) yield { kind: 'user', userId };
}
