import type { Plan } from '#contract/rules/plans.ts';
import type { Tx } from '../../../db/connect.ts';
import {
  notFound,
  subscriptionEnded,
  type Calendar,
  type OwedPayment,
  type PlanChange,
} from '../payments.ts';
import { newId } from '../../../ids.ts';
import { findRefusal, isForOnePayment, TEST_CARDS, type CardName } from './cards.ts';
import { inTransaction, type SandboxParts } from './parts.ts';
import {
  findOwedCharge,
  insertCharge,
  insertSubscription,
  listSubscriptionsOf,
  lockSubscription,
  updateSubscription,
  type ChargeRow,
  type SubscriptionRow,
} from './store.ts';
import { recordEvent } from './webhooks.ts';

/** What the check of a new card costs, until it is refunded at once. */
const CHECK_CENTS = 100;

type RenewalContext = { now: number; calendar: Calendar };

/** After a downtime one payment is due, not one for each month that passed. */
function findNextDate(row: SubscriptionRow, plan: Plan, { now, calendar }: RenewalContext): number {
  const regular = calendar.addPeriod(row.due_at, plan);
  return regular > now ? regular : calendar.addPeriod(now, plan);
}

/** How a subscription changes when its payment succeeds. */
export function planSuccess(
  row: SubscriptionRow,
  plan: Plan,
  context: RenewalContext,
): Partial<SubscriptionRow> {
  const due = findNextDate(row, plan, context);
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

/** How it changes when the bank declines: the next attempt is on the next date, not before. */
export function planFailure(
  row: SubscriptionRow,
  { now, calendar }: RenewalContext,
): Partial<SubscriptionRow> {
  const due = findNextDate(row, row.next_plan ?? row.plan, { now, calendar });
  return { failures: row.failures + 1, status: 'late', due_at: due, next_charge_at: due };
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

async function chargeNow(parts: SandboxParts, tx: Tx, row: SubscriptionRow) {
  const context = { now: parts.clock.now(), calendar: parts.calendar };
  const plan = row.next_plan ?? row.plan;
  const failure = row.next_amount === 0 ? null : findRefusal(row.card, row.card_uses);
  // A free period is not charged.
  const chargeId =
    row.next_amount === 0
      ? null
      : await recordCharge(parts, tx, row, { plan, failure, amount: row.next_amount });
  const change = failure === null ? planSuccess(row, plan, context) : planFailure(row, context);
  await updateSubscription(tx, row.id, change);
  const kind = failure === null ? 'charge.paid' : 'charge.failed';
  await recordEvent(parts, tx, kind, { ...subjectOf({ ...row, plan }), chargeId });
  const at = change.next_charge_at ?? row.next_charge_at;
  await parts.work.renewAt(tx, row.id, { at, now: context.now });
}

const recordCharge = (
  { clock }: SandboxParts,
  tx: Tx,
  row: SubscriptionRow,
  charge: Pick<ChargeRow, 'plan' | 'failure' | 'amount'> & { owed_reference?: string },
): Promise<string> =>
  insertCharge(tx, {
    reference: null,
    customer_id: row.customer_id,
    provider_subscription_id: row.id,
    currency: row.currency,
    card: row.card,
    at: clock.now(),
    ...charge,
  });

/** Charges or ends a subscription that is due. */
export const renewSubscription = (parts: SandboxParts, id: string): Promise<void> =>
  withSubscription(parts, id, async (tx, row) => {
    if (row.status === 'ended' || row.next_charge_at > parts.clock.now()) return;
    if (row.status !== 'ending') return chargeNow(parts, tx, row);
    await updateSubscription(tx, id, { status: 'ended' });
    await recordEvent(parts, tx, 'subscription.ended', subjectOf(row));
  });

/** A late subscription has no paid time left, so it ends immediately. */
async function stopRenewing(parts: SandboxParts, tx: Tx, row: SubscriptionRow) {
  if (!isRenewed(row)) return;
  const status = row.status === 'late' ? 'ended' : 'ending';
  await updateSubscription(tx, row.id, { status });
  await recordEvent(parts, tx, `subscription.${status}`, subjectOf(row));
}

export const cancelSubscription = (parts: SandboxParts, id: string): Promise<void> =>
  withSubscription(parts, id, (tx, row) => stopRenewing(parts, tx, row));

export const endSubscription = (parts: SandboxParts, id: string): Promise<void> =>
  withSubscription(parts, id, async (tx, row) => {
    if (row.status === 'ended') return;
    await updateSubscription(tx, id, { status: 'ended' });
    await recordEvent(parts, tx, 'subscription.ended', subjectOf(row));
  });

const isRenewed = ({ status }: SubscriptionRow): boolean =>
  status === 'active' || status === 'late';

/** The one that an earlier request created. */
async function findReplacement(
  tx: Tx,
  row: SubscriptionRow,
  { plan, amount }: PlanChange,
): Promise<SubscriptionRow | undefined> {
  const others = await listSubscriptionsOf(tx, row.customer_id);
  return others.find(
    (other) =>
      other.id !== row.id &&
      other.status === 'active' &&
      (other.next_plan ?? other.plan) === plan &&
      other.renewal_amount === amount &&
      other.created_at >= row.created_at,
  );
}

/**
 * A subscription is neither changed nor revived. Another one takes over at the end of the paid
 * period, and the old one, kept until the new one stands, charges nothing more.
 */
export const replaceSubscription = (parts: SandboxParts, change: PlanChange): Promise<string> =>
  withSubscription(parts, change.providerSubscriptionId, async (tx, row) => {
    refuseEnded(row);
    const { plan, amount, startsAt } = change;
    const isSame = (row.next_plan ?? row.plan) === plan && row.renewal_amount === amount;
    if (isSame && isRenewed(row)) return row.id;
    const found = await findReplacement(tx, row, change);
    const now = parts.clock.now();
    const at = Math.max(startsAt, now);
    const next = found ?? {
      ...row,
      id: `sub_${newId(now)}`,
      next_plan: plan === row.plan ? null : plan,
      status: 'active' as const,
      due_at: at,
      next_charge_at: at,
      next_amount: amount,
      renewal_amount: amount,
      failures: 0,
      created_at: now,
    };
    if (!found) {
      await insertSubscription(tx, next);
      await recordEvent(parts, tx, 'subscription.created', subjectOf(next));
      await parts.work.renewAt(tx, next.id, { at, now });
    }
    await stopRenewing(parts, tx, row);
    return next.id;
  });

/** What the operator edits at the provider, without telling the site. */
export const editAmount = (parts: SandboxParts, id: string, amount: number): Promise<void> =>
  withSubscription(parts, id, async (tx) => {
    await updateSubscription(tx, id, { next_amount: amount, renewal_amount: amount });
  });

/** Charges what a failed renewal left unpaid; the next date stays. Asking twice charges once. */
export const payOwed = (
  parts: SandboxParts,
  { providerSubscriptionId: id, reference, plan, amount }: OwedPayment,
): Promise<void> =>
  withSubscription(parts, id, async (tx, row) => {
    refuseEnded(row);
    if (row.status !== 'late' || (await findOwedCharge(tx, reference))) return;
    const failure = findRefusal(row.card, row.card_uses);
    const charge = { plan, amount, failure, owed_reference: reference };
    const chargeId = await recordCharge(parts, tx, row, charge);
    if (failure === null)
      await updateSubscription(tx, id, {
        plan,
        next_plan: null,
        status: 'active',
        next_amount: row.renewal_amount,
        card_uses: row.card_uses + 1,
        failures: 0,
      });
    const kind = failure === null ? 'charge.paid' : 'charge.failed';
    await recordEvent(parts, tx, kind, { ...subjectOf({ ...row, plan }), chargeId });
  });

export type CardOutcome = { state: 'replaced' } | { state: 'declined'; message: string };

/** A payment of R1, refunded at once, checks the new card. What is owed stays owed. */
export const replaceCard = (
  parts: SandboxParts,
  id: string,
  card: CardName,
): Promise<CardOutcome> =>
  withSubscription(parts, id, async (tx, row) => {
    refuseEnded(row);
    const message = isForOnePayment(card)
      ? TEST_CARDS['one-payment'].refusal
      : findRefusal(card, 0);
    if (message !== null) return { state: 'declined', message };
    const chargeId = await insertCharge(tx, {
      reference: null,
      customer_id: row.customer_id,
      provider_subscription_id: null,
      plan: row.plan,
      amount: CHECK_CENTS,
      refunded: CHECK_CENTS,
      currency: row.currency,
      card,
      failure: null,
      at: parts.clock.now(),
    });
    const { customer_id: customerId } = row;
    await recordEvent(parts, tx, 'charge.paid', { customerId, chargeId });
    await recordEvent(parts, tx, 'charge.refunded', { customerId, chargeId });
    await updateSubscription(tx, id, { card, card_uses: 0 });
    await recordEvent(parts, tx, 'subscription.card-replaced', subjectOf(row));
    return { state: 'replaced' };
  });

/** What the bank does with the card from now on. */
export const setCard = (parts: SandboxParts, id: string, card: CardName): Promise<void> =>
  withSubscription(parts, id, async (tx) => {
    await updateSubscription(tx, id, { card, card_uses: 0 });
  });
