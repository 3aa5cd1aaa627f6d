import type { z } from 'zod';
import { type Plans, type Subscription, Card } from '#contract/billing.ts';
import type { ProviderSubscriptionItem } from '#contract/admin/subscribers.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { hasAccess } from '#contract/rules/access.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Db } from '../../../db/connect.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { readGraceMs } from '../../../http/access-policy.ts';
import type { Viewer } from '../../../http/guards.ts';
import {
  findPaidThroughOf,
  listCheckoutsOf,
  listLedgerEntries,
  listProviderSubscriptionsOf,
  isRenewing,
  isUnfinished,
  type CheckoutRow,
  type LedgerEntry,
  type ProviderSubscriptionRow,
} from '../queries.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { findPeriods, type Period } from '../ledger/paid-through.ts';
import { findFirstPayment } from '../prices/first-payment.ts';
import { listNoticesOf, type PriceNotice } from '../prices/queries.ts';
import { findAgreedAmount, readAgreedPrices } from './agreed-prices.ts';
import { findOwed } from './find-owed.ts';
import { findWithdrawable, presentWithdrawal, type WithdrawalRow } from './find-withdrawal.ts';

export { findPeriods } from '../ledger/paid-through.ts';

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
  db.selectFrom('withdrawals').selectAll().where('user_id', '=', userId).executeTakeFirst();

export const getSubscription = (deps: Deps, viewer: Viewer): Promise<Subscription> =>
  getSubscriptionOf(deps, viewer.user.id);

export async function getSubscriptionOf(deps: Deps, userId: string): Promise<Subscription> {
  const { db } = deps.database;
  const state = {
    paidThrough: await findPaidThroughOf(db, userId),
    ledger: await listLedgerEntries(db, userId),
    providerSubscriptions: await listProviderSubscriptionsOf(db, userId),
    checkouts: await listCheckoutsOf(db, userId),
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

/** An older open checkout is no longer shown as pending. */
const PENDING_MS = DAY;

type BillingState = {
  paidThrough: number | null;
  ledger: readonly LedgerEntry[];
  providerSubscriptions: readonly ProviderSubscriptionRow[];
  checkouts: readonly CheckoutRow[];
  /** What the user was told about prices, newest first. */
  notices: readonly PriceNotice[];
  withdrawal?: WithdrawalRow | undefined;
};

const order: Record<ProviderSubscriptionRow['status'], number> = {
  active: 0,
  late: 0,
  ending: 1,
  ended: 2,
};

/** A replaced subscription counts as ending, whatever the provider still says. */
const rank = ({ status, replaced_by }: ProviderSubscriptionRow): number =>
  replaced_by === null ? order[status] : Math.max(order.ending, order[status]);

/**
 * The provider subscription that a user calls "my subscription": a running one if there is any, and
 * only at the provider that the site uses now, since nothing can be changed at another one.
 */
export const findCurrentSubscription = (
  rows: readonly ProviderSubscriptionRow[],
  provider: string,
): ProviderSubscriptionRow | null =>
  rows
    .filter((row) => row.is_duplicate === 0 && row.provider === provider)
    .toSorted((a, b) => rank(a) - rank(b) || b.started_at - a.started_at)[0] ?? null;

/** Subscriptions that another provider may still charge: users can only cancel them there. */
const listOtherSubscriptions = (rows: readonly ProviderSubscriptionRow[], provider: string) =>
  rows
    .filter((row) => row.provider !== provider && isRenewing(row))
    .map((row) => ({ provider: row.provider, plan: row.plan }));

function findStatus(
  current: ProviderSubscriptionRow | null,
  last: Period<LedgerEntry> | undefined,
  {
    isOn,
    wasEver,
    isStarting,
  }: {
    isOn: boolean;
    wasEver: boolean;
    /** A payment waits for its subscription. */
    isStarting: boolean;
  },
): Subscription['status'] {
  if (!isOn) return wasEver ? 'ended' : 'free';
  const isRunning = current !== null && current.status !== 'ended';
  if (isStarting && last?.entry.kind === 'charge' && !(current && isRenewing(current)))
    return 'starting';
  if (isRunning && current.status === 'late') return 'late';
  if (isRunning && current.status === 'ending') return 'cancelled';
  const isFree = last?.entry.kind === 'trial' || last?.entry.kind === 'coupon';
  if (isRunning) return isFree ? 'trial' : 'active';
  return last?.entry.kind === 'charge' ? 'cancelled' : 'complimentary';
}

/** What would charge again, duplicates and replaced ones included, with the next payment first. */
export const listRenewing = (
  rows: readonly ProviderSubscriptionRow[],
  provider: string,
): ProviderSubscriptionRow[] =>
  rows
    .filter((row) => row.provider === provider && isRenewing(row))
    .toSorted((a, b) => (a.next_charge_at ?? 0) - (b.next_charge_at ?? 0));

function findNextPayment(
  current: ProviderSubscriptionRow | undefined,
): Subscription['nextPayment'] {
  if (!current || current.next_charge_at === null) return null;
  const plan = current.next_plan ?? current.plan;
  const amount =
    current.next_amount ?? findAgreedAmount(readAgreedPrices(current.agreed_prices), plan);
  return amount === null ? null : { at: current.next_charge_at, amount, plan };
}

/** The next price of the plan that will be charged, until its first payment. */
function findPriceChange(
  current: ProviderSubscriptionRow | null,
  notices: readonly PriceNotice[],
  { now, calendar }: { now: number; calendar: Calendar },
): Subscription['priceChange'] {
  if (!current || !isRenewing(current)) return null;
  const plan = current.next_plan ?? current.plan;
  const next = { nextChargeAt: current.next_charge_at, plan };
  const startOf = ({ state, starts_at, applies_from }: PriceNotice): number =>
    state === 'applied' && starts_at !== null
      ? starts_at
      : findFirstPayment(next, applies_from, calendar);
  // The newest of those that start with the same payment.
  const [first] = notices
    .filter((one) => one.plan === plan && one.provider === current.provider)
    .map((notice) => ({ notice, at: startOf(notice) }))
    .filter(({ at }) => at > now)
    .toSorted((a, b) => a.at - b.at);
  if (!first) return null;
  const { state, starts_at, amount, old_amount: oldAmount } = first.notice;
  // Someone who never left this price, or who left and subscribed again at it.
  if (state === 'told' && starts_at === null && current.next_amount === amount) return null;
  return { at: first.at, amount, oldAmount };
}

function findProblem(
  running: ProviderSubscriptionRow | null,
  ledger: readonly LedgerEntry[],
  now: number,
): Subscription['problem'] {
  if (!running || running.problem_since === null) return null;
  return {
    since: running.problem_since,
    message: running.problem ?? 'The payment failed.',
    amount: findOwed(running, ledger, now)?.amount ?? null,
  };
}

export const parseCard = (text: string | null): z.infer<typeof Card> | null =>
  text === null ? null : Card.parse(JSON.parse(text));

export function presentSubscription(
  { paidThrough, ledger, providerSubscriptions, checkouts, notices, withdrawal }: BillingState,
  {
    now,
    graceMs,
    calendar,
    provider,
    coolingOffDays = 0,
  }: {
    now: number;
    graceMs: number;
    calendar: Calendar;
    provider: string;
    coolingOffDays?: number;
  },
): Subscription {
  const current = findCurrentSubscription(providerSubscriptions, provider);
  const last = findPeriods(ledger, calendar).at(-1);
  const isOn = hasAccess(paidThrough, now, graceMs);
  const running = current?.status === 'ended' ? null : current;
  const renewing = listRenewing(providerSubscriptions, provider);
  const pending = checkouts.find(
    ({ state, created_at }) => state === 'open' && created_at > now - PENDING_MS,
  );
  return {
    status: findStatus(current, last, {
      isOn,
      wasEver: paidThrough !== null || ledger.length > 0,
      isStarting: checkouts.some((row) => row.provider === provider && isUnfinished(row)),
    }),
    hasAccess: isOn,
    plan: running?.plan ?? last?.entry.plan ?? null,
    currency: CURRENCY,
    paidThrough,
    accessUntil: paidThrough === null ? null : paidThrough + graceMs,
    nextPayment: findNextPayment(current && isRenewing(current) ? current : renewing[0]),
    nextPlan: running?.next_plan ?? null,
    priceChange: findPriceChange(current, notices, { now, calendar }),
    card: parseCard(running?.card ?? null),
    problem: findProblem(running, ledger, now),
    renews: renewing.length > 0,
    withdrawal: presentWithdrawal(
      findWithdrawable(
        { ledger, providerSubscriptions },
        { provider, coolingOffDays, calendar, now },
      ),
      withdrawal,
    ),
    canResume: running?.status === 'ending' && paidThrough !== null && now < paidThrough,
    pendingReference: pending?.reference ?? null,
    otherSubscriptions: listOtherSubscriptions(providerSubscriptions, provider),
  };
}

const noteOf = (
  row: ProviderSubscriptionRow,
  provider: string,
): ProviderSubscriptionItem['note'] => {
  if (row.provider !== provider) return 'other-provider';
  if (row.is_duplicate === 1) return 'duplicate';
  return row.replaced_by === null ? null : 'replaced';
};

/** For administrators: everything the provider has for a member. */
export async function presentProviderSubscriptions(
  { database, payments }: Deps,
  userId: string,
): Promise<ProviderSubscriptionItem[]> {
  const rows = await listProviderSubscriptionsOf(database.db, userId);
  return rows
    .toSorted((a, b) => order[a.status] - order[b.status] || b.started_at - a.started_at)
    .map((row) => ({
      id: row.provider_subscription_id,
      provider: row.provider,
      plan: row.plan,
      status: row.status,
      nextPayment:
        isRenewing(row) && row.next_charge_at !== null
          ? { at: row.next_charge_at, amount: row.next_amount }
          : null,
      note: noteOf(row, payments.name),
      canEnd: isRenewing(row) && row.provider === payments.name,
    }));
}
