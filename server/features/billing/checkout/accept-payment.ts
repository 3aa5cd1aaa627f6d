import { formatMoney } from '#contract/rules/format.ts';
import { describeMonths, type Plan } from '#contract/rules/plans.ts';
import { buildSubscription } from '../../../db/build-rows.ts';
import type { Tx } from '../../../db/connect.ts';
import { newId } from '../../../db/ids.ts';
import type { Deps } from '../../../deps.ts';
import type { PaymentState } from '../../../ports/payments/payments.ts';
import { openIssue, otherAmountKey } from '../../payment-issues/service.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import {
  buildLedgerEntry,
  formatRefusedCharge,
  toLedgerContext,
  type LedgerContext,
  type NewLedgerEntry,
  type Refusal,
} from '../ledger/ledger-entries.ts';
import {
  findRunningSubscription,
  findSubscription,
  isOwing,
  isRenewing,
  listLedgerEntries,
  type PaymentRow,
  type SubscriptionRow,
} from '../queries.ts';
import { tellMissedChanges } from '../file-ends/jobs.ts';
import { closeOldNotices } from '../prices/next-price.ts';
import { claimTrialCard, keepCard, type SealedCard } from '../subscriptions/cards.ts';
import { endSubscription, updateSubscription } from '../subscriptions/change-state.ts';
import { holdCoupon } from './coupons.ts';
import { updatePayment } from './open-page.ts';

/** A payment that has arrived, in the transaction that holds its account. */
export type Arrived = {
  row: PaymentRow;
  userId: string;
  state: PaymentState;
  /** The card that paid, if we may charge it again. */
  card: SealedCard | null;
};

type Verdict = { why: Refusal; reason: string } | null;

const toFacts = ({ row, state }: Arrived): Partial<NewLedgerEntry> => ({
  provider: row.provider,
  charge_id: state.chargeId,
  subscription_id: row.subscription_id,
  plan: row.plan,
  amount: state.amount,
  currency: state.currency,
  fee: state.fee,
  actor: 'provider',
});

const describe = ({ row: { plan, months }, state }: Arrived): string => {
  const what = plan === null ? describeMonths(months ?? 1) : `the ${plan} plan`;
  return `${formatMoney(state.amount, state.currency)} paid for ${what}.`;
};

/** Whether this payment of a subscription still pays for something. */
function judgeRenewal(row: PaymentRow, current: SubscriptionRow | undefined): Verdict {
  if (!current || current.period !== row.period)
    return { why: 'second', reason: 'This period was already paid for.' };
  // Whoever cancels while a payment is on its way gets it back.
  if (current.cancelled_at !== null || current.status === 'ending')
    return { why: 'cancelled', reason: 'The subscription was cancelled before the payment.' };
  // Ended because nobody paid: a member who pays on a page after all goes on.
  if (current.status === 'ended' && row.asked_at !== null)
    return { why: 'cancelled', reason: 'The subscription had ended before the payment.' };
  return null;
}

/** Pages can be opened before the first of them is paid, so the offer is looked at again. */
const hasHadFreeTime = async (tx: Tx, userId: string): Promise<boolean> =>
  (await listLedgerEntries(tx, userId)).some(({ kind }) =>
    ['charge', 'trial', 'coupon'].includes(kind),
  );

async function judge(tx: Tx, { row, userId, state, card }: Arrived, now: number): Promise<Verdict> {
  const expected = formatMoney(row.amount, row.currency);
  if (state.amount !== row.amount || state.currency !== row.currency)
    return {
      why: 'amount',
      reason: `${formatMoney(state.amount, state.currency)} was charged; expected ${expected}.`,
    };
  const running = await findRunningSubscription(tx, userId);
  if (row.kind === 'renewal') {
    const own = await findSubscription(tx, row.subscription_id ?? '');
    const other = running !== null && running.id !== own?.id;
    return other
      ? { why: 'second', reason: 'The member has another subscription by now.' }
      : judgeRenewal(row, own);
  }
  const isStart = row.plan !== null && row.subscription_id === null;
  if (isStart && running && isRenewing(running))
    return { why: 'second', reason: 'The member already had a subscription.' };
  if (row.coupon_id !== null && !(await holdCoupon(tx, row)))
    return { why: 'coupon', reason: 'Its coupon was already used.' };
  if (row.free_kind === 'trial' && (await hasHadFreeTime(tx, userId)))
    return { why: 'second', reason: 'The member has already had free or paid time.' };
  if (row.free_kind === 'trial' && !(await claimTrialCard(tx, row, card, now)))
    return { why: 'card', reason: 'Its card has already had a free trial.' };
  return null;
}

/** Charged again, it would be another wrong amount: the member pays on a page, or nobody does. */
async function stopCharging(tx: Tx, row: PaymentRow, now: number): Promise<void> {
  const current = await findSubscription(tx, row.subscription_id ?? '');
  if (row.kind !== 'renewal' || current?.period !== row.period || current.status === 'ended')
    return;
  const owed = { status: 'needs_member' as const, late_since: current.late_since ?? now };
  const failure = 'Another amount than agreed was charged, and goes back.';
  await updateSubscription(tx, current.id, { ...owed, retry_at: null, failure }, now);
}

/** It doesn't count: the money goes back, and the member is told. */
async function refuse(
  tx: Tx,
  deps: Deps,
  arrived: Arrived,
  { why, reason }: NonNullable<Verdict>,
): Promise<NewLedgerEntry[]> {
  const now = deps.clock.now();
  const { row, userId, state } = arrived;
  const isCardUsed = why === 'card';
  await updatePayment(
    tx,
    row,
    {
      state: 'refused',
      charge_id: state.chargeId,
      channel: state.channel,
      failure: reason,
      is_card_used: isCardUsed ? 1 : 0,
      check_at: null,
    },
    now,
  );
  if (isCardUsed)
    await enqueueMessages(tx, deps, userId, [
      { key: `trial-card:${row.reference}`, message: { kind: 'trial-card-used' } },
    ]);
  if (state.amount === 0 || state.chargeId === null) return [];
  if (why === 'amount') {
    await stopCharging(tx, row, now);
    await openIssue(
      tx,
      {
        key: otherAmountKey(row.provider, state.chargeId),
        kind: 'other-amount',
        userId,
        provider: row.provider,
        chargeId: state.chargeId,
        reference: row.reference,
        amount: state.amount,
        currency: state.currency,
        reason: `${reason} It is refunded in full.`,
      },
      now,
    );
  }
  if (row.kind === 'card-check') return buildCardCheck(arrived);
  const detail = formatRefusedCharge({ reference: row.reference, why });
  const facts = { ...toFacts(arrived), detail };
  return [buildLedgerEntry('charge-refused', state.at, reason, facts)];
}

/** A trial or a coupon's free days, from the moment the card was checked. */
function buildFreePeriod({ row, state }: Arrived, subscriptionId: string): NewLedgerEntry[] {
  const { plan, free_days: days, free_kind: kind, provider } = row;
  if (kind === null || days === 0) return [];
  const detail = kind === 'trial' ? null : JSON.stringify({ coupon: row.coupon_id });
  const reason = kind === 'trial' ? `Started a ${days}-day trial.` : `Coupon: ${days} free days.`;
  const facts = { provider, subscription_id: subscriptionId, plan, days, detail };
  return [buildLedgerEntry(kind, state.at, reason, facts)];
}

const buildCharge = (arrived: Arrived, subscriptionId: string | null): NewLedgerEntry =>
  buildLedgerEntry('charge', arrived.state.at, describe(arrived), {
    ...toFacts(arrived),
    subscription_id: subscriptionId,
    months: arrived.row.plan === null ? arrived.row.months : null,
    detail: JSON.stringify({ reference: arrived.row.reference }),
  });

const buildCardCheck = (arrived: Arrived): NewLedgerEntry[] =>
  arrived.state.amount === 0
    ? []
    : [
        buildLedgerEntry(
          'card-check',
          arrived.state.at,
          `${formatMoney(arrived.state.amount, arrived.state.currency)} checked a card; it goes back.`,
          toFacts(arrived),
        ),
      ];

/** A new subscription, paid for today or free until the end of the time that the member has. */
async function start(
  tx: Tx,
  arrived: Arrived,
  plan: Plan,
  context: LedgerContext,
): Promise<NewLedgerEntry[]> {
  const { row, userId, card } = arrived;
  const { now } = context;
  const before = await findRunningSubscription(tx, userId);
  const reason = 'Replaced by a new subscription.';
  if (before) await endSubscription(tx, before, { reason, actor: 'user', left: null }, context);
  await closeOldNotices(tx, userId, now);
  const id = newId(now);
  const methodId = card && (await keepCard(tx, userId, card, now));
  const price = row.renewal_amount ?? row.amount;
  const isPaid = row.kind === 'first';
  await tx
    .insertInto('subscriptions')
    .values(
      buildSubscription({
        id,
        user_id: userId,
        provider: row.provider,
        plan,
        status: isPaid ? 'active' : 'trial',
        amount: price,
        next_amount: isPaid ? price : (row.first_amount ?? price),
        period: isPaid ? 1 : 0,
        method_id: methodId,
        started_at: now,
      }),
    )
    .execute();
  await updatePayment(tx, row, { subscription_id: id, period: isPaid ? 0 : null }, now);
  const facts = { provider: row.provider, subscription_id: id, plan, actor: 'user' };
  return [
    ...(isPaid ? [buildCharge(arrived, id)] : buildCardCheck(arrived)),
    ...buildFreePeriod(arrived, id),
    buildLedgerEntry('subscribed', now, `Started the ${plan} plan.`, facts),
  ];
}

/** The next period is paid for. What was changed since the payment was asked for stays. */
async function renew(tx: Tx, arrived: Arrived, now: number): Promise<NewLedgerEntry[]> {
  const { row, userId, card } = arrived;
  const current = await findSubscription(tx, row.subscription_id ?? '');
  if (!current) return [];
  const methodId = card && row.asked_at === null ? await keepCard(tx, userId, card, now) : null;
  const plan = row.plan ?? current.plan;
  const amount = plan === current.plan ? current.amount : row.amount;
  const next_plan = current.next_plan === plan ? null : current.next_plan;
  await updateSubscription(
    tx,
    current.id,
    {
      status: 'active',
      provider: row.provider,
      plan,
      amount,
      next_plan,
      next_amount: next_plan === null ? amount : current.next_amount,
      period: current.period + 1,
      attempt: 0,
      late_since: null,
      retry_at: null,
      failure: null,
      ended_at: null,
      held_since: null,
      ...(methodId !== null && { method_id: methodId }),
      // Another provider can't charge the card that was kept.
      ...(methodId === null && row.provider !== current.provider && { method_id: null }),
    },
    now,
  );
  const charge = buildCharge(arrived, current.id);
  if (current.status !== 'ended') return [charge];
  const facts = { provider: row.provider, subscription_id: current.id, plan, actor: 'user' };
  return [charge, buildLedgerEntry('resumed', now, 'Paid what was owed.', facts)];
}

/** Another card for the same subscription; a payment that is owed is tried with it at once. */
async function replaceCard(tx: Tx, arrived: Arrived, now: number): Promise<NewLedgerEntry[]> {
  const { row, userId, card } = arrived;
  const current = await findSubscription(tx, row.subscription_id ?? '');
  if (current && current.status !== 'ended' && card) {
    const method_id = await keepCard(tx, userId, card, now);
    const retry = isOwing(current) && { status: 'late' as const, retry_at: now };
    await updateSubscription(tx, current.id, { method_id, provider: row.provider, ...retry }, now);
  }
  return buildCardCheck(arrived);
}

/** Decides what a payment that has arrived pays for, or that it goes back, for the ledger to record. */
export async function acceptPayment(
  tx: Tx,
  deps: Deps,
  arrived: Arrived,
): Promise<NewLedgerEntry[]> {
  const { row, userId, state } = arrived;
  const context = toLedgerContext(deps);
  const { now } = context;
  const verdict = await judge(tx, arrived, now);
  if (verdict) return refuse(tx, deps, arrived, verdict);
  const paid = {
    state: 'paid' as const,
    charge_id: state.chargeId,
    channel: state.channel,
    failure: null,
    check_at: null,
  };
  await updatePayment(tx, row, paid, now);
  const isCardAlone = row.kind === 'card-check' && row.plan === null;
  if (!isCardAlone) await tellMissedChanges(tx, userId, row.created_at, now);
  if (row.kind === 'renewal') return renew(tx, arrived, now);
  if (row.plan !== null) return start(tx, arrived, row.plan, context);
  if (isCardAlone) return replaceCard(tx, arrived, now);
  return [buildCharge(arrived, null)];
}
