import type { CANCEL_REASONS, ChangeQuote, Subscription } from '#contract/billing.ts';
import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import type { Tx } from '../../../db/connect.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { takeBackDepartures } from '../../departures/service.ts';
import { tellChanges } from '../billing-mail/send-messages.ts';
import { priceOf } from '../checkout/quote.ts';
import { toLedgerContext } from '../ledger/ledger-entries.ts';
import {
  findNextPrice,
  findPlannedPrice,
  listNoticesOf,
  applyChange,
} from '../prices/next-price.ts';
import {
  findRunningSubscription,
  isRenewing,
  lockAccount,
  type SubscriptionRow,
} from '../queries.ts';
import { recordChange, stopRenewing, updateSubscription } from './change-state.ts';
import { getSubscription } from './service.ts';

/** One transaction and no call: what a member decides counts at once, also while the provider is down. */
async function decide(
  deps: Deps,
  { user: { id: userId } }: Viewer,
  isAllowed: (row: SubscriptionRow) => boolean,
  work: (tx: Tx, row: SubscriptionRow) => Promise<void>,
): Promise<void> {
  await deps.database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    const row = await findRunningSubscription(tx, userId);
    if (!row || !isAllowed(row)) throw new AppError('not_subscribed');
    await tellChanges(tx, deps, userId, () => work(tx, row));
  });
  deps.jobs.wake();
}

type CancelInput = {
  reason?: (typeof CANCEL_REASONS)[number] | undefined;
  comment?: string | undefined;
};

export async function cancelSubscription(
  deps: Deps,
  viewer: Viewer,
  { reason, comment }: CancelInput,
): Promise<Subscription> {
  const left = { way: 'cancelled' as const, reason: reason ?? null, comment: comment || null };
  const context = toLedgerContext(deps);
  await decide(deps, viewer, isRenewing, (tx, row) => {
    const isOver = row.status === 'late' || row.status === 'needs_member';
    const then = isOver
      ? 'The subscription ended at once.'
      : 'Access continues until the period ends.';
    const ending = { reason: `Member cancelled. ${then}`, actor: 'user', left };
    return stopRenewing(tx, row, ending, context);
  });
  return getSubscription(deps, viewer);
}

/** Continues as before the cancellation; a plan change that was pending is dropped. */
async function goOn(tx: Tx, deps: Deps, row: SubscriptionRow): Promise<void> {
  const context = toLedgerContext(deps);
  const { now } = context;
  await updateSubscription(
    tx,
    row.id,
    {
      status: row.period === 0 ? 'trial' : 'active',
      cancelled_at: null,
      ...(row.next_plan !== null && { next_plan: null, next_amount: row.amount }),
    },
    now,
  );
  const reason = 'Member resumed the subscription.';
  await recordChange(tx, row, 'resumed', { reason, actor: 'user' }, context);
  if (row.user_id !== null)
    await takeBackDepartures(tx, { userId: row.user_id, subscriptionId: row.id }, now);
}

const canResume = ({ status, next_at }: SubscriptionRow, now: number): boolean =>
  status === 'ending' && next_at > now;

export async function resumeSubscription(deps: Deps, viewer: Viewer): Promise<Subscription> {
  await decide(
    deps,
    viewer,
    (row) => canResume(row, deps.clock.now()),
    (tx, row) => goOn(tx, deps, row),
  );
  return getSubscription(deps, viewer);
}

type Offer = {
  amount: number;
  /** The price change that the amount comes from. */
  changeId: string | null;
};

/** The first payment after a change replaces the one that would be due anyway. */
async function createChangeOffer(
  tx: Tx | Deps['database']['db'],
  deps: Deps,
  row: SubscriptionRow,
  plan: Plan,
): Promise<Offer> {
  const { calendar, name: provider } = deps.payments;
  if (plan === row.plan) {
    // Going back to the current plan keeps its price, or the one that the member was told about.
    const notices = await listNoticesOf(tx, row.user_id ?? '');
    const back = { ...row, next_plan: null, next_amount: row.amount };
    return { amount: findNextPrice(back, notices, calendar).amount, changeId: null };
  }
  const settings = await readSettings(tx, deps.clock.now());
  const planned = await findPlannedPrice(tx, { provider, plan, at: row.next_at });
  return { amount: planned?.amount ?? priceOf(settings, plan), changeId: planned?.id ?? null };
}

/** What a plan change would cost, and from when. */
export async function quoteChange(deps: Deps, viewer: Viewer, plan: Plan): Promise<ChangeQuote> {
  const { db } = deps.database;
  const row = await findRunningSubscription(db, viewer.user.id);
  if (!row) throw new AppError('not_subscribed');
  const { amount } = await createChangeOffer(db, deps, row, plan);
  return { plan, currency: CURRENCY, amount, at: Math.max(row.next_at, deps.clock.now()) };
}

/** From the next payment on; nothing is charged now. */
export async function switchPlan(
  tx: Tx,
  deps: Deps,
  row: SubscriptionRow,
  { plan, reason, actor }: { plan: Plan; reason: string; actor: string },
): Promise<void> {
  const context = toLedgerContext(deps);
  const { now } = context;
  const isSame = plan === row.plan;
  let { amount, changeId } = await createChangeOffer(tx, deps, row, plan);
  // A price change that it uses can't be cancelled; one that was cancelled meanwhile isn't used.
  if (changeId !== null && !(await applyChange(tx, changeId, now)))
    ({ amount, changeId } = await createChangeOffer(tx, deps, row, plan));
  const next = {
    next_plan: isSame ? null : plan,
    next_amount: isSame ? row.amount : amount,
  };
  await updateSubscription(tx, row.id, next, now);
  await recordChange(tx, { ...row, plan }, 'plan-changed', { reason, actor }, context);
}

export async function changePlan(deps: Deps, viewer: Viewer, plan: Plan): Promise<Subscription> {
  const reason = `Member switched to the ${plan} plan from the next payment.`;
  const now = deps.clock.now();
  const isAllowed = (row: SubscriptionRow) => isRenewing(row) || canResume(row, now);
  await decide(deps, viewer, isAllowed, async (tx, row) => {
    if (!isRenewing(row)) await goOn(tx, deps, row);
    const isNew = (row.next_plan ?? row.plan) !== plan || !isRenewing(row);
    if (isNew) await switchPlan(tx, deps, row, { plan, reason, actor: 'user' });
  });
  return getSubscription(deps, viewer);
}
