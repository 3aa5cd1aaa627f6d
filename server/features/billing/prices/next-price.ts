import { sql } from 'kysely';
import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY, monthsOf, type Plan } from '#contract/rules/plans.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import type {
  PriceChangeMembersTable,
  PriceChangesTable,
} from '../../../db/types/billing-tables.ts';
import type { Deps } from '../../../deps.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { toLedgerContext } from '../ledger/ledger-entries.ts';
import type { SubscriptionRow } from '../queries.ts';
import { recordChange } from '../subscriptions/change-state.ts';

export type PriceChangeRow = PriceChangesTable;
export type PriceChangeMember = PriceChangeMembersTable;

/** Those that apply to anyone, in the order they were planned. */
export const listOpenChanges = (db: Db, provider: string): Promise<PriceChangeRow[]> =>
  db
    .selectFrom('price_changes')
    .selectAll()
    .where('state', 'in', ['planned', 'current'])
    .where('provider', '=', provider)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const findChange = (db: Db, id: string): Promise<PriceChangeRow | undefined> =>
  db.selectFrom('price_changes').selectAll().where('id', '=', id).executeTakeFirst();

/** The planned price that a plan will cost at this time, if it changes by then. */
export async function findPlannedPrice(
  db: Db,
  { provider, plan, at }: { provider: string; plan: Plan; at: number },
): Promise<PriceChangeRow | null> {
  const row = await db
    .selectFrom('price_changes')
    .selectAll()
    .where('state', '=', sql.lit('planned'))
    .where('plan', '=', plan)
    .where('provider', '=', provider)
    .where('starts_at', '<=', at)
    .executeTakeFirst();
  return row ?? null;
}

/** The key of the mail about a change. */
export const priceMessageKey = (changeId: string): string => `price-change:${changeId}`;
const noticeKey = (userId: string) =>
  sql<string>`${`${userId}:price-change:`} || price_change_members.change_id`;

/** What a user was told about prices that apply now or later, newest change first. */
export const listNoticesOf = (db: Db, userId: string) =>
  db
    .selectFrom('price_change_members')
    .innerJoin('price_changes', 'price_changes.id', 'price_change_members.change_id')
    .leftJoin('sent_messages', (join) => join.on('sent_messages.key', '=', noticeKey(userId)))
    .selectAll('price_change_members')
    .select(['price_changes.plan', 'price_changes.amount', 'price_changes.provider'])
    .select(['price_changes.notice_days', 'sent_messages.sent_at'])
    .where('price_change_members.user_id', '=', userId)
    .where('price_change_members.state', 'in', ['told', 'applied'])
    .where('price_changes.state', '<>', 'cancelled')
    .orderBy('price_changes.created_at', 'desc')
    .orderBy('price_changes.id', 'desc')
    .execute();
export type PriceNotice = Awaited<ReturnType<typeof listNoticesOf>>[number];

async function updateChange(
  tx: Tx,
  id: string,
  values: Partial<PriceChangesTable>,
): Promise<boolean> {
  const row = await tx
    .updateTable('price_changes')
    .set(values)
    .where('id', '=', id)
    .where('state', '<>', 'cancelled')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Until the end of the transaction no one cancels the change; false if someone has. */
export const holdChange = (tx: Tx, id: string, now: number): Promise<boolean> =>
  updateChange(tx, id, { updated_at: now });

/** Makes it part of someone's next payment, so that it can't be cancelled; false if someone has. */
export const applyChange = (tx: Tx, id: string, now: number): Promise<boolean> =>
  updateChange(tx, id, { updated_at: now, is_applied: 1 });

/** Whoever subscribes anew agrees to today's price: what they were told about older ones is over. */
export const closeOldNotices = (tx: Tx, userId: string, now: number) =>
  tx
    .updateTable('price_change_members')
    .set({ state: 'replaced', updated_at: now })
    .where('user_id', '=', userId)
    .where('state', '=', 'told')
    .where('change_id', 'in', (select) =>
      select.selectFrom('price_changes').select('id').where('state', '=', 'replaced'),
    )
    .execute();

/** What the plan costs this member now, without a coupon. */
export const priceOfNext = ({ next_plan, amount, next_amount }: SubscriptionRow): number =>
  next_plan === null ? amount : next_amount;

type OfPlan = { plan: Plan; provider: string };

/** What a member was told about a plan and doesn't pay yet, newest first. */
export const listTold = (notices: readonly PriceNotice[], { plan, provider }: OfPlan) =>
  notices.filter((one) => one.state === 'told' && one.plan === plan && one.provider === provider);

/** The newest price that a mail has told them. One that never arrived has told them nothing. */
export const findKnown = (told: readonly PriceNotice[]): PriceNotice | null =>
  told.find(({ sent_at }) => sent_at !== null) ?? null;

/**
 * From when a price may be charged: at once if it isn’t higher than what the member pays and knows,
 * otherwise after the whole notice of a mail that said it, or a price at least as high.
 */
function findNoticeEnd(
  { amount, notice_days }: Pick<PriceChangeRow, 'amount' | 'notice_days'>,
  sentAt: number | null,
  { paid, known }: { paid: number; known: PriceNotice | null },
  calendar: Calendar,
): number {
  if (amount <= Math.min(paid, known?.amount ?? paid)) return 0;
  const endOf = (at: number | null, days: number) =>
    at === null ? Infinity : calendar.addDays(at, days);
  const own = endOf(sentAt, notice_days);
  return known && amount <= known.amount
    ? Math.min(own, Math.max(known.applies_from, endOf(known.sent_at, known.notice_days)))
    : own;
}

/**
 * The one place that decides what the next payment costs: what the member agreed to, or the newest
 * price that they were told about in time.
 */
export function findNextPrice(
  row: SubscriptionRow,
  notices: readonly PriceNotice[],
  calendar: Calendar,
): { amount: number; notice: PriceNotice | null } {
  const { plan, next_plan, next_at: at, amount: price, next_amount, provider } = row;
  const told = listTold(notices, { plan: next_plan ?? plan, provider });
  const notice = told.find(
    (one, index) =>
      one.applies_from <= at &&
      findNoticeEnd(
        one,
        one.sent_at,
        { paid: priceOfNext(row), known: findKnown(told.slice(index + 1)) },
        calendar,
      ) <= at,
  );
  // A coupon's price is for one payment, whatever the plan costs.
  const isReduced = next_plan === null && next_amount < price;
  return notice && !isReduced
    ? { amount: notice.amount, notice }
    : { amount: next_amount, notice: null };
}

/** From when a price that a member is told about now applies to them. */
export const findStart = (
  change: PriceChangeRow,
  subscriber: { paid: number; known: PriceNotice | null },
  { now, calendar }: { now: number; calendar: Calendar },
): number => Math.max(change.starts_at, now, findNoticeEnd(change, now, subscriber, calendar));

/** The first payment on or after a time, of a subscription whose next payment is known. */
export function findFirstPayment(
  { nextChargeAt, plan }: { nextChargeAt: number; plan: Plan },
  from: number,
  calendar: Calendar,
): number {
  let at = nextChargeAt;
  for (let months = monthsOf(plan); at < from; months += monthsOf(plan))
    at = calendar.addMonths(nextChargeAt, months);
  return at;
}

/** Closes what the member was told about this price and earlier ones. */
async function closeNotices(tx: Tx, notice: PriceNotice, startsAt: number, now: number) {
  const { change_id, user_id: userId, plan, provider } = notice;
  const told = tx
    .updateTable('price_change_members')
    .where('user_id', '=', userId)
    .where('state', '=', 'told');
  await told
    .set({ state: 'applied', starts_at: startsAt, updated_at: now })
    .where('change_id', '=', change_id)
    .execute();
  await told
    .set({ state: 'replaced', updated_at: now })
    .where('change_id', 'in', (select) =>
      select
        .selectFrom('price_changes')
        .select('id')
        .where('plan', '=', plan)
        .where('provider', '=', provider)
        .where('id', '<', change_id),
    )
    .execute();
}

/** What a payment that is written now costs. A new price becomes the subscription's with it. */
export async function applyPrice(tx: Tx, deps: Deps, row: SubscriptionRow): Promise<number> {
  const context = toLedgerContext(deps);
  const { now, calendar, timeZone } = context;
  if (row.user_id === null) return row.next_amount;
  const notices = await listNoticesOf(tx, row.user_id);
  const { amount, notice } = findNextPrice(row, notices, calendar);
  if (!notice) return amount;
  // Cancelled a moment ago: the price stays.
  if (!(await applyChange(tx, notice.change_id, now))) return row.next_amount;
  await closeNotices(tx, notice, row.next_at, now);
  if (amount === row.next_amount && amount === row.amount) return amount;
  await tx
    .updateTable('subscriptions')
    .set({ next_amount: amount, ...(row.next_plan === null && { amount }) })
    .where('id', '=', row.id)
    .execute();
  const day = formatDate(row.next_at, timeZone);
  const money = (cents: number) => formatMoney(cents, CURRENCY);
  const reason = `From ${day} the ${notice.plan} plan costs ${money(amount)} instead of ${money(notice.old_amount)}.`;
  await recordChange(tx, { ...row, plan: notice.plan }, 'price-changed', { reason }, context);
  return amount;
}
