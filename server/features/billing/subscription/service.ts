import type { z } from 'zod';
import { type Plans, type Subscription, Card } from '#contract/billing.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { hasAccess } from '#contract/rules/access.ts';
import { DAY } from '#contract/rules/time.ts';
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
  type CheckoutRow,
  type LedgerEntry,
  type ProviderSubscriptionRow,
} from '../queries.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { findPeriods, type Period } from '../ledger/paid-through.ts';
import { findAgreedAmount, readAgreedPrices } from './agreed-prices.ts';

export async function getPlans({ database, clock }: Deps): Promise<Plans> {
  const { monthlyPrice, annualPrice, trialDays } = await readSettings(database.db, clock.now());
  return {
    currency: CURRENCY,
    monthly: { amount: monthlyPrice },
    annual: { amount: annualPrice },
    trialDays,
  };
}

export const getSubscription = (deps: Deps, viewer: Viewer): Promise<Subscription> =>
  getSubscriptionOf(deps, viewer.user.id);

export async function getSubscriptionOf(deps: Deps, userId: string): Promise<Subscription> {
  const { db } = deps.database;
  const state = {
    paidThrough: await findPaidThroughOf(db, userId),
    ledger: await listLedgerEntries(db, userId),
    providerSubscriptions: await listProviderSubscriptionsOf(db, userId),
    checkouts: await listCheckoutsOf(db, userId),
  };
  return presentSubscription(state, {
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
  isOn: boolean,
  wasEver: boolean,
): Subscription['status'] {
  if (!isOn) return wasEver ? 'ended' : 'free';
  const isRunning = current !== null && current.status !== 'ended';
  if (isRunning && current.status === 'late') return 'late';
  if (isRunning && current.status === 'ending') return 'cancelled';
  const isFree = last?.entry.kind === 'trial' || last?.entry.kind === 'coupon';
  if (isRunning) return isFree ? 'trial' : 'active';
  return last?.entry.kind === 'charge' ? 'cancelled' : 'complimentary';
}

function findNextPayment(current: ProviderSubscriptionRow | null): Subscription['nextPayment'] {
  if (!current || current.next_charge_at === null) return null;
  if (!isRenewing(current)) return null;
  const plan = current.next_plan ?? current.plan;
  const amount =
    current.next_amount ?? findAgreedAmount(readAgreedPrices(current.agreed_prices), plan);
  return amount === null ? null : { at: current.next_charge_at, amount, plan };
}

function findProblem(running: ProviderSubscriptionRow | null): Subscription['problem'] {
  if (!running || running.problem_since === null) return null;
  return { since: running.problem_since, message: running.problem ?? 'The payment failed.' };
}

export const parseCard = (text: string | null): z.infer<typeof Card> | null =>
  text === null ? null : Card.parse(JSON.parse(text));

export function presentSubscription(
  { paidThrough, ledger, providerSubscriptions, checkouts }: BillingState,
  {
    now,
    graceMs,
    calendar,
    provider,
  }: { now: number; graceMs: number; calendar: Calendar; provider: string },
): Subscription {
  const current = findCurrentSubscription(providerSubscriptions, provider);
  const last = findPeriods(ledger, calendar).at(-1);
  const isOn = hasAccess(paidThrough, now, graceMs);
  const running = current?.status === 'ended' ? null : current;
  const pending = checkouts.find(
    ({ state, created_at }) => state === 'open' && created_at > now - PENDING_MS,
  );
  return {
    status: findStatus(current, last, isOn, paidThrough !== null || ledger.length > 0),
    hasAccess: isOn,
    plan: running?.plan ?? last?.entry.plan ?? null,
    currency: CURRENCY,
    paidThrough,
    accessUntil: paidThrough === null ? null : paidThrough + graceMs,
    nextPayment: findNextPayment(current),
    nextPlan: running?.next_plan ?? null,
    card: parseCard(running?.card ?? null),
    problem: findProblem(running),
    canResume: running?.status === 'ending' && paidThrough !== null && now < paidThrough,
    pendingReference: pending?.reference ?? null,
    otherSubscriptions: listOtherSubscriptions(providerSubscriptions, provider),
  };
}
