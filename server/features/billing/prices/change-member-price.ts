import { z } from 'zod';
import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Db } from '../../../db/connect.ts';
import { readInPages } from '../../../db/export-rows.ts';
import type { Deps } from '../../../deps.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { buildLedgerEntry, toLedgerContext } from '../ledger/ledger-entries.ts';
import { appendEntry } from '../ledger/service.ts';
import { listProviderSubscriptionsOf, type ProviderSubscriptionRow } from '../queries.ts';
import { reconcileSubscription } from '../reconcile/reconcile-subscription.ts';
import { refundDuplicates } from '../reconcile/refund-duplicates.ts';
import { replacePrices } from '../subscription/agreed-prices.ts';
import { recordAgreedPrice, recordReplacement } from '../subscription/record-change.ts';
import { findCurrentSubscription } from '../subscription/service.ts';
import { listNoticesOf, useChange, type PriceNotice } from './queries.ts';

/** Early enough to outlast an outage, and before providers prepare the payment. */
const LEAD_DAYS = 5;
/** Later than this, the payment may already be on its way: then the next one costs the new price. */
const LATEST_DAYS = 1 / 24;
/** A provider may charge a little before the date it named. */
const EARLY_DAYS = 1;

type Due = {
  notice: PriceNotice;
  current: ProviderSubscriptionRow;
  /** The first payment that costs the new price. */
  startsAt: number;
};

/** The newest change that the next payment must have; null if that is not known, or not near. */
function findDue(
  notices: readonly PriceNotice[],
  current: ProviderSubscriptionRow | null,
  { now, calendar }: { now: number; calendar: Deps['payments']['calendar'] },
): Due | null {
  const startsAt = current?.next_charge_at ?? null;
  if (!current || startsAt === null || current.status !== 'active') return null;
  if (startsAt > calendar.addDays(now, LEAD_DAYS)) return null;
  if (startsAt < calendar.addDays(now, LATEST_DAYS)) return null;
  const notice = notices.find(
    ({ plan, provider, applies_from }) =>
      provider === current.provider &&
      plan === (current.next_plan ?? current.plan) &&
      applies_from <= startsAt,
  );
  return notice?.state === 'told' ? { notice, current, startsAt } : null;
}

/** False if the change was cancelled. From then on it can't be. */
const recordStart = (
  { database, clock, payments: { calendar } }: Deps,
  { notice, current, startsAt }: Due,
): Promise<boolean> =>
  database.db.transaction().execute(async (tx) => {
    const now = clock.now();
    const { change_id: id, user_id: userId, plan, amount } = notice;
    if (!(await useChange(tx, id, now))) return false;
    await tx
      .updateTable('price_change_members')
      .set({ starts_at: startsAt, updated_at: now })
      .where('change_id', '=', id)
      .where('user_id', '=', userId)
      .execute();
    const from = calendar.addDays(startsAt, -EARLY_DAYS);
    await recordAgreedPrice(tx, userId, current, {
      plan,
      agree: (prices) => replacePrices(prices, { plan, amount }, from),
      isForAll: true,
    });
    return true;
  });

/** Closes what the member was told about this change, if it isn't applied, and about earlier ones. */
const replaceNotices = async (db: Db, notice: PriceNotice, now: number) => {
  const { change_id: id, user_id: userId, plan, provider } = notice;
  await db
    .updateTable('price_change_members')
    .set({ state: 'replaced', updated_at: now })
    .where('user_id', '=', userId)
    .where('state', '=', 'told')
    .where('change_id', 'in', (select) =>
      select
        .selectFrom('price_changes')
        .select('id')
        .where('plan', '=', plan)
        .where('provider', '=', provider)
        .where('id', '<=', id),
    )
    .execute();
};

const recordApplied = async (deps: Deps, { notice, startsAt }: Due): Promise<void> => {
  const { change_id: id, user_id: userId, plan, amount, old_amount } = notice;
  const now = deps.clock.now();
  const day = formatDate(startsAt, deps.config.timeZone);
  const because = `From ${day} the ${plan} plan costs ${formatMoney(amount, CURRENCY)} instead of ${formatMoney(old_amount, CURRENCY)}.`;
  await deps.database.db.transaction().execute(async (tx) => {
    const applied = await tx
      .updateTable('price_change_members')
      .set({ state: 'applied', updated_at: now })
      .where('change_id', '=', id)
      .where('user_id', '=', userId)
      .where('state', '=', 'told')
      .returning('user_id')
      .executeTakeFirst();
    if (!applied) return;
    await replaceNotices(tx, notice, now);
    const facts = { provider: notice.provider, plan, actor: 'system' };
    const entry = buildLedgerEntry('price-changed', now, because, facts);
    await appendEntry(tx, userId, entry, toLedgerContext(deps));
  });
};

/** Someone who never left the price, or who left after the notice and subscribed again at it. */
const hasPriceAlready = ({ notice, current }: Due): boolean =>
  notice.starts_at === null && current.next_amount === notice.amount;

async function readDue(deps: Deps, userId: string): Promise<Due | null> {
  const { db } = deps.database;
  const { name, calendar } = deps.payments;
  const rows = await listProviderSubscriptionsOf(db, userId);
  const notices = await listNoticesOf(db, userId);
  const context = { now: deps.clock.now(), calendar };
  return findDue(notices, findCurrentSubscription(rows, name), context);
}

/**
 * Gives a subscriber's next payment the new price. It can stop anywhere: the agreed price is recorded
 * first, the provider's call may be repeated, and a half-finished replacement is found again.
 */
export async function changeMemberPrice(deps: Deps, userId: string): Promise<void> {
  const { payments } = deps;
  // What we know may be a day old: the member may have cancelled or changed plans since.
  await reconcileSubscription(deps, userId);
  if (await refundDuplicates(deps, userId)) await reconcileSubscription(deps, userId);
  const due = await readDue(deps, userId);
  if (!due) return;
  if (hasPriceAlready(due)) return replaceNotices(deps.database.db, due.notice, deps.clock.now());
  if (!(await recordStart(deps, due))) return;
  const { notice, current, startsAt } = due;
  const changed = await payments.changePlan({
    providerSubscriptionId: current.provider_subscription_id,
    plan: notice.plan,
    amount: notice.amount,
    startsAt,
  });
  await recordReplacement(deps, userId, current, changed.providerSubscriptionId);
  const hints = { providerSubscriptionIds: [changed.providerSubscriptionId] };
  await reconcileSubscription(deps, userId, { hints });
  await recordApplied(deps, due);
}

export const changeMemberPriceJob = defineJob({
  name: 'change-member-price',
  lane: 'payments',
  payload: z.object({ userId: z.string() }),
  maxAttempts: countAttemptsWithin(DAY),
  run: async (deps: Deps, { userId }) => {
    const user = await deps.database.db
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .executeTakeFirst();
    if (user) await changeMemberPrice(deps, userId);
  },
});

type DueMember = { change_id: string; user_id: string; applies_from: number };

const readDueMembers = (db: Db, { provider, until }: { provider: string; until: number }) =>
  readInPages((after: DueMember | null, limit) =>
    db
      .selectFrom('price_change_members as members')
      .innerJoin(
        'provider_subscriptions as subscriptions',
        'subscriptions.user_id',
        'members.user_id',
      )
      .select(['members.change_id', 'members.user_id', 'members.applies_from'])
      .distinct()
      .where('members.state', '=', 'told')
      .where('members.applies_from', '<=', until)
      .where('subscriptions.provider', '=', provider)
      .where('subscriptions.status', '=', 'active')
      .where('subscriptions.next_charge_at', '<=', until)
      .where('subscriptions.next_charge_at', '>=', (eb) => eb.ref('members.applies_from'))
      .where((where) =>
        after
          ? where(
              where.refTuple('members.applies_from', 'members.change_id', 'members.user_id'),
              '>',
              where.tuple(after.applies_from, after.change_id, after.user_id),
            )
          : where.val(true),
      )
      .orderBy('members.applies_from')
      .orderBy('members.change_id')
      .orderBy('members.user_id')
      .limit(limit)
      .execute(),
  );

/** Queues everyone whose next payment is near and must cost a new price. */
export async function requestPriceChanges(deps: Deps, signal: AbortSignal): Promise<void> {
  const { database, clock, payments } = deps;
  const now = clock.now();
  const until = payments.calendar.addDays(now, LEAD_DAYS);
  for await (const { user_id: userId } of readDueMembers(database.db, {
    provider: payments.name,
    until,
  })) {
    if (signal.aborted) return;
    const uniqueKey = `change-price:${userId}`;
    await enqueue(database.db, changeMemberPriceJob, { userId }, { now, uniqueKey });
  }
}
