import type { SubscriptionItem } from '#contract/admin/subscribers.ts';
import type { Plans, Subscription } from '#contract/billing.ts';
import { hasAccess } from '#contract/rules/access.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Db } from '../../../db/connect.ts';
import { readSettings } from '../../../db/settings.ts';
import type { RefundRequestsTable } from '../../../db/types/billing-tables.ts';
import type { Deps } from '../../../deps.ts';
import { readGraceMs } from '../../../http/route/access-policy.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { findPeriods, type Period } from '../ledger/paid-through.ts';
import {
  findFirstPayment,
  findNextPrice,
  listNoticesOf,
  listTold,
  type PriceNotice,
} from '../prices/next-price.ts';
import {
  findPaidThroughOf,
  isOwing,
  isRenewing,
  listLedgerEntries,
  listPaymentsOf,
  listSubscriptionsOf,
  type LedgerEntry,
  type PaymentRow,
  type SubscriptionRow,
} from '../queries.ts';
import { findMethod, presentCard, type PaymentMethod } from './cards.ts';
import { findLateEnd } from './schedule.ts';

type WithdrawalRow = RefundRequestsTable;

/** What the ledger says about the end of a withdrawn subscription. */
export const WITHDRAWN = {
  reason: 'Member cancelled within the cooling-off period and gets the payment back.',
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

/** The first payment of a subscription, untouched and recent. */
export function findWithdrawable(
  ledger: readonly LedgerEntry[],
  { provider, coolingOffDays, calendar, now }: Omit<Rules, 'graceMs'>,
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
function presentWithdrawal(
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

export { findPeriods } from '../ledger/paid-through.ts';
export { listRenewals } from './list-renewals.ts';

export async function getPlans({ database, clock }: Deps): Promise<Plans> {
  const { monthlyPrice, annualPrice, trialDays } = await readSettings(database.db, clock.now());
  return {
    currency: CURRENCY,
    monthly: { amount: monthlyPrice },
    annual: { amount: annualPrice },
    trialDays,
  };
}

export const findWithdrawal = (db: Db, userId: string): Promise<WithdrawalRow | undefined> =>
  db
    .selectFrom('refund_requests')
    .selectAll()
    .where('user_id', '=', userId)
    .where('why', '=', 'withdrawal')
    .executeTakeFirst();

export const getSubscription = (deps: Deps, viewer: Viewer): Promise<Subscription> =>
  getSubscriptionOf(deps, viewer.user.id);

export async function getSubscriptionOf(deps: Deps, userId: string): Promise<Subscription> {
  const { db } = deps.database;
  const subscriptions = await listSubscriptionsOf(db, userId);
  const running = subscriptions.find(({ status }) => status !== 'ended') ?? null;
  const state = {
    paidThrough: await findPaidThroughOf(db, userId),
    ledger: await listLedgerEntries(db, userId),
    running,
    method: await findMethod(db, running?.method_id ?? null),
    payments: await listPaymentsOf(db, userId),
    notices: await listNoticesOf(db, userId),
    withdrawal: await findWithdrawal(db, userId),
  };
  const { coolingOffDays } = await readSettings(db, deps.clock.now());
  return presentSubscription(state, {
    coolingOffDays,
    now: deps.clock.now(),
    graceMs: await readGraceMs(deps),
    calendar: deps.payments.calendar,
    provider: deps.payments.name,
  });
}

/** An older open page is no longer shown as pending. */
const PENDING_MS = DAY;

type BillingState = {
  paidThrough: number | null;
  ledger: readonly LedgerEntry[];
  /** The subscription that hasn't ended. */
  running: SubscriptionRow | null;
  method: PaymentMethod | null;
  payments: readonly PaymentRow[];
  /** What the user was told about prices, newest first. */
  notices: readonly PriceNotice[];
  withdrawal?: WithdrawalRow | undefined;
};

type Rules = {
  now: number;
  graceMs: number;
  calendar: Calendar;
  provider: string;
  coolingOffDays: number;
};

function findStatus(
  running: SubscriptionRow | null,
  last: Period<LedgerEntry> | undefined,
  { isOn, wasEver }: { isOn: boolean; wasEver: boolean },
): Subscription['status'] {
  if (running?.status === 'late' || running?.status === 'needs_member') return running.status;
  if (!isOn) return wasEver ? 'ended' : 'free';
  if (running?.status === 'ending') return 'cancelled';
  const isFree = last?.entry.kind === 'trial' || last?.entry.kind === 'coupon';
  if (running) return isFree ? 'trial' : 'active';
  if (last?.entry.kind !== 'charge') return 'complimentary';
  return last.entry.plan === null ? 'paid-once' : 'cancelled';
}

/** The next price of the plan that will be charged, until its first payment. */
function findPriceChange(
  running: SubscriptionRow | null,
  notices: readonly PriceNotice[],
  { now, calendar }: Rules,
): Subscription['priceChange'] {
  if (!running || !isRenewing(running)) return null;
  const plan = running.next_plan ?? running.plan;
  const next = { nextChargeAt: running.next_at, plan };
  const [first] = listTold(notices, { plan, provider: running.provider })
    .map((notice) => ({ notice, at: findFirstPayment(next, notice.applies_from, calendar) }))
    .filter(({ at }) => at > now)
    // The newest of those that start with the same payment.
    .toSorted((a, b) => a.at - b.at);
  // Someone who never left this price, or who left and subscribed again at it.
  if (!first || first.notice.amount === running.next_amount) return null;
  const { amount, old_amount: oldAmount } = first.notice;
  return { at: first.at, amount, oldAmount };
}

/** What is owed, why, and until when it can be paid. */
export function findProblem(
  running: SubscriptionRow | null,
  amount: number,
  { calendar, name }: { calendar: Calendar; name: string },
): Subscription['problem'] {
  if (!running || !isOwing(running) || running.late_since === null) return null;
  return {
    since: running.late_since,
    until: findLateEnd(running.late_since, calendar),
    message: running.failure ?? 'The payment failed.',
    amount,
    // Another provider’s card can’t be charged, whatever is planned.
    retryAt: running.provider === name ? running.retry_at : null,
    needsMember: running.status === 'needs_member',
  };
}

/** A payment that was started, or that a bank is deciding about. */
function findPending(payments: readonly PaymentRow[], now: number): Subscription['pending'] {
  const row =
    payments.find(({ state }) => state === 'pending') ??
    payments.find(({ state, created_at }) => state === 'open' && created_at > now - PENDING_MS);
  if (!row) return null;
  const isAtBank = row.state === 'pending';
  const { reference, kind, plan, months, amount } = row;
  return { reference, kind, plan, months, amount, at: row.created_at, isAtBank };
}

function presentSubscription(state: BillingState, rules: Rules): Subscription {
  const { paidThrough, ledger, running, payments, notices } = state;
  const { now, graceMs, calendar } = rules;
  const last = findPeriods(ledger, calendar).at(-1);
  const isOn = hasAccess(paidThrough, now, graceMs);
  const renewing = running && isRenewing(running) ? running : null;
  const { amount } = running ? findNextPrice(running, notices, calendar) : { amount: 0 };
  return {
    status: findStatus(running, last, {
      isOn,
      wasEver: paidThrough !== null || ledger.length > 0,
    }),
    hasAccess: isOn,
    plan: running?.plan ?? last?.entry.plan ?? null,
    currency: CURRENCY,
    paidThrough,
    accessUntil: paidThrough === null ? null : paidThrough + graceMs,
    nextPayment: renewing && {
      at: renewing.next_at,
      amount,
      plan: renewing.next_plan ?? renewing.plan,
      isFirst: renewing.period === 0,
    },
    nextPlan: running?.next_plan ?? null,
    priceChange: findPriceChange(running, notices, rules),
    card: presentCard(state.method),
    problem: findProblem(running, amount, { calendar, name: rules.provider }),
    renews: renewing !== null,
    isHeld: running?.held_since !== null && running !== null,
    withdrawal: presentWithdrawal(findWithdrawable(ledger, rules), state.withdrawal),
    canResume: running?.status === 'ending' && now < running.next_at,
    pending: findPending(payments, now),
  };
}

/** For administrators: a member's subscriptions, the running one first. */
export async function presentSubscriptions(
  { database, payments }: Deps,
  userId: string,
): Promise<SubscriptionItem[]> {
  const { db } = database;
  const notices = await listNoticesOf(db, userId);
  const rows = await listSubscriptionsOf(db, userId);
  return rows.toReversed().map((row) => ({
    id: row.id,
    provider: row.provider,
    plan: row.plan,
    status: row.status,
    nextPayment: isRenewing(row)
      ? { at: row.next_at, amount: findNextPrice(row, notices, payments.calendar).amount }
      : null,
    failure: row.failure,
    lateSince: row.late_since,
    isHeld: row.held_since !== null,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    canEnd: isRenewing(row),
  }));
}
