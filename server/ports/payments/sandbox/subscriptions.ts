import type { Plan } from '#contract/rules/plans.ts';
import type { Tx } from '../../../db/connect.ts';
import {
  notFound,
  subscriptionEnded,
  type Calendar,
  type OwedPayment,
  type PlanChange,
} from '../payments.ts';
import { findRefusal, type CardName } from './cards.ts';
import { inTransaction, type SandboxParts } from './parts.ts';
import {
  insertCharge,
  lockSubscription,
  updateSubscription,
  type SubscriptionRow,
} from './store.ts';
import { recordEvent } from './webhooks.ts';

/** A failed payment is retried on each day of the grace period, then no more. */
const ATTEMPTS = 4;

type RenewalContext = { now: number; calendar: Calendar };

/** How a subscription changes when its payment succeeds. */
export function planSuccess(
  row: SubscriptionRow,
  plan: Plan,
  { now, calendar }: RenewalContext,
): Partial<SubscriptionRow> {
  const regular = calendar.addPeriod(row.due_at, plan);
  // After a downtime one payment is due, not one for each month that passed.
  const due = regular > now ? regular : calendar.addPeriod(now, plan);
  return {
    plan,
    next_plan: null,
    status: 'active',
    due_at: due,
    next_charge_at: due,
    next_amount: row.renewal_amount,
    card_uses: row.card_uses + 1,
    failures: 0,
  };
}

/** How it changes when the bank declines. */
export function planFailure(
  row: SubscriptionRow,
  { now, calendar }: RenewalContext,
): Partial<SubscriptionRow> {
  const failures = row.failures + 1;
  return failures >= ATTEMPTS
    ? { failures, status: 'ended' }
    : { failures, status: 'late', next_charge_at: calendar.addDays(now, 1) };
}

const subjectOf = (row: SubscriptionRow) => ({
  providerSubscriptionId: row.id,
  customerId: row.customer_id,
  plan: row.plan,
});

/** Locks a subscription while it is changed. */
const withSubscription = <T>(
  parts: SandboxParts,
  id: string,
  change: (tx: Tx, row: SubscriptionRow) => Promise<T>,
): Promise<T> =>
  inTransaction(parts, async (tx) => {
    const row = await lockSubscription(tx, parts.database.dialect, id);
    if (!row) throw notFound('The sandbox doesn’t have this subscription.');
    return change(tx, row);
  });

const refuseEnded = (row: SubscriptionRow) => {
  if (row.status === 'ended') throw subscriptionEnded();
};

/** A free period is not charged. */
async function recordCharge(
  { clock }: SandboxParts,
  tx: Tx,
  row: SubscriptionRow,
  { plan, failure }: { plan: Plan; failure: string | null },
): Promise<string | null> {
  if (row.next_amount === 0) return null;
  return insertCharge(tx, {
    reference: null,
    customer_id: row.customer_id,
    provider_subscription_id: row.id,
    plan,
    amount: row.next_amount,
    currency: row.currency,
    card: row.card,
    failure,
    at: clock.now(),
  });
}

async function chargeNow(parts: SandboxParts, tx: Tx, row: SubscriptionRow) {
  const context = { now: parts.clock.now(), calendar: parts.calendar };
  const plan = row.next_plan ?? row.plan;
  const failure = row.next_amount === 0 ? null : findRefusal(row.card, row.card_uses);
  const chargeId = await recordCharge(parts, tx, row, { plan, failure });
  const change = failure === null ? planSuccess(row, plan, context) : planFailure(row, context);
  await updateSubscription(tx, row.id, change);
  const kind = failure === null ? 'charge.paid' : 'charge.failed';
  await recordEvent(parts, tx, kind, { ...subjectOf({ ...row, plan }), chargeId });
  if (change.status === 'ended')
    return recordEvent(parts, tx, 'subscription.ended', subjectOf(row));
  const at = change.next_charge_at ?? row.next_charge_at;
  await parts.work.renewAt(tx, row.id, { at, now: context.now });
}

/** Charges or ends a subscription that is due. */
export const renewSubscription = (parts: SandboxParts, id: string): Promise<void> =>
  withSubscription(parts, id, async (tx, row) => {
    if (row.status === 'ended' || row.next_charge_at > parts.clock.now()) return;
    if (row.status !== 'ending') return chargeNow(parts, tx, row);
    await updateSubscription(tx, id, { status: 'ended' });
    await recordEvent(parts, tx, 'subscription.ended', subjectOf(row));
  });

/** A late subscription has no paid time left, so it ends immediately. */
export const cancelSubscription = (parts: SandboxParts, id: string): Promise<void> =>
  withSubscription(parts, id, async (tx, row) => {
    if (row.status === 'ending' || row.status === 'ended') return;
    const status = row.status === 'late' ? 'ended' : 'ending';
    await updateSubscription(tx, id, { status, next_charge_at: row.due_at });
    await recordEvent(parts, tx, `subscription.${status}`, subjectOf(row));
    const now = parts.clock.now();
    if (status === 'ending') await parts.work.renewAt(tx, id, { at: row.due_at, now });
  });

export const endSubscription = (parts: SandboxParts, id: string): Promise<void> =>
  withSubscription(parts, id, async (tx, row) => {
    if (row.status === 'ended') return;
    await updateSubscription(tx, id, { status: 'ended' });
    await recordEvent(parts, tx, 'subscription.ended', subjectOf(row));
  });

export const resumeSubscription = (parts: SandboxParts, id: string): Promise<void> =>
  withSubscription(parts, id, async (tx, row) => {
    refuseEnded(row);
    if (row.status !== 'ending') return;
    await updateSubscription(tx, id, { status: 'active' });
    await recordEvent(parts, tx, 'subscription.resumed', subjectOf(row));
  });

export const changeSubscription = (parts: SandboxParts, change: PlanChange): Promise<void> =>
  withSubscription(parts, change.providerSubscriptionId, async (tx, row) => {
    refuseEnded(row);
    const now = parts.clock.now();
    const at = row.status === 'late' ? row.next_charge_at : Math.max(change.startsAt, now);
    const next = {
      next_plan: change.plan === row.plan ? null : change.plan,
      next_amount: change.amount,
      renewal_amount: change.amount,
      next_charge_at: at,
      ...(row.status === 'late' ? {} : { due_at: at, status: 'active' as const }),
    };
    await updateSubscription(tx, row.id, next);
    await recordEvent(parts, tx, 'subscription.changed', subjectOf(row));
    await parts.work.renewAt(tx, row.id, { at, now });
  });

/** Paid once: afterwards the subscription is no longer late. */
export const payOwed = (
  parts: SandboxParts,
  { providerSubscriptionId: id }: OwedPayment,
): Promise<void> =>
  withSubscription(parts, id, async (tx, row) => {
    refuseEnded(row);
    if (row.status === 'late') await chargeNow(parts, tx, row);
  });

/** A missed payment is charged to the new card immediately. */
export const replaceCard = (parts: SandboxParts, id: string, card: CardName): Promise<void> =>
  withSubscription(parts, id, async (tx, row) => {
    refuseEnded(row);
    const renewed = { ...row, card, card_uses: 0 };
    await updateSubscription(tx, id, { card, card_uses: 0 });
    await recordEvent(parts, tx, 'subscription.card-replaced', subjectOf(row));
    if (row.status === 'late') await chargeNow(parts, tx, renewed);
  });
