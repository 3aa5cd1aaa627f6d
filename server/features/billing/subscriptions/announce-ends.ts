import type { Plan } from '#contract/rules/plans.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import { readInPages } from '../../../db/export-rows.ts';
import { startAfter } from '../../../db/keyset.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { defineSchedule } from '../../../jobs/define-job.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { isPaidForYear } from '../billing-mail/plan-messages.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import type { PlannedMessage } from '../billing-mail/write-message.ts';
import { findPeriods } from '../ledger/paid-through.ts';
import { findNextPrice, listNoticesOf } from '../prices/next-price.ts';
import {
  findRunningSubscription,
  findSubscription,
  isRenewing,
  listLedgerEntries,
  lockAccount,
  type LedgerEntry,
  type SubscriptionRow,
} from '../queries.ts';
import { workThrough } from '../work-through.ts';
import { findMethod, type PaymentMethod } from './cards.ts';
import { switchPlan } from './manage-subscription.ts';

/**
 * The law wants a notice 40 to 80 business days before a fixed term ends. Twelve weeks are 60 working
 * days, and never fewer than 40 without the public holidays.
 */
export const YEAR_NOTICE_DAYS = 84;
const GIFT_DAYS = 7;
const REMINDER_DAYS = 7;
const TRIAL_DAYS = 3;
const CARD_DAYS = 30;

const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Once per end of a year, whatever continues after it. */
const toKey = (endsAt: number): string => `year-ending:${toDay(endsAt)}`;

const isPlanned = async (db: Db, userId: string, key: string): Promise<boolean> =>
  (await db
    .selectFrom('sent_messages')
    .select('key')
    .where('key', '=', `${userId}:${key}`)
    .executeTakeFirst()) !== undefined;

/** Everything that is due within the longest notice. */
const readComing = (
  db: Db,
  provider: string,
  { now, calendar }: { now: number; calendar: Calendar },
) =>
  readInPages((after: SubscriptionRow | null, limit) =>
    db
      .selectFrom('subscriptions')
      .selectAll()
      .where('provider', '=', provider)
      .where('status', 'in', ['trial', 'active'])
      .where('user_id', 'is not', null)
      .where('next_at', '>', now)
      .where('next_at', '<=', calendar.addDays(now, YEAR_NOTICE_DAYS))
      .where(startAfter(['id'], after && [after.id], 0))
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

type Coming = {
  row: SubscriptionRow;
  userId: string;
  /** What the next payment costs. */
  amount: number;
  plan: Plan;
  ledger: readonly LedgerEntry[];
  method: PaymentMethod | null;
  now: number;
  calendar: Calendar;
};

/** The first payment after a trial isn’t the end of a year. */
const isYearEnding = ({ row, ledger, calendar }: Coming): boolean =>
  row.plan === 'annual' && row.status === 'active' && isPaidForYear(ledger, calendar);

/** A trial or free period that will be paid for. */
function* planForTrial({ row, amount, plan, ...coming }: Coming): Generator<PlannedMessage> {
  const { now, calendar } = coming;
  if (row.status !== 'trial' || row.next_at > calendar.addDays(now, TRIAL_DAYS)) return;
  const message = { kind: 'trial-ending' as const, at: row.next_at, amount, plan };
  yield { key: `trial-ending:${row.id}`, message };
}

/** Shortly before another year is charged. */
function* planReminder(coming: Coming): Generator<PlannedMessage> {
  const { row, amount, plan, now, calendar } = coming;
  if (plan !== 'annual' || !isYearEnding(coming)) return;
  if (row.next_at > calendar.addDays(now, REMINDER_DAYS)) return;
  const key = `reminder:${row.id}:${toDay(row.next_at)}`;
  yield { key, message: { kind: 'reminder', at: row.next_at, amount } };
}

/** A month before the card expires, and again before a payment that it can’t make. */
function* planForCard({ row, method, now, calendar }: Coming): Generator<PlannedMessage> {
  if (!method || method.expiry_year === 0) return;
  const { brand, last4, expiry_month: month, expiry_year: year } = method;
  // Valid until the end of its month.
  const end = Date.UTC(year, month, 1);
  const expiry = `${year}-${String(month).padStart(2, '0')}`;
  const { next_at: at } = row;
  const isDue = end <= at && at <= calendar.addDays(now, REMINDER_DAYS);
  const card = `${brand} ending in ${last4}`;
  const message = { kind: 'card-expiring' as const, card, expiry, isExpired: end <= now, at };
  if (end <= calendar.addDays(now, CARD_DAYS)) yield { key: `card:${last4}:${expiry}`, message };
  if (isDue && end <= now) yield { key: `card:${last4}:${expiry}:${toDay(at)}`, message };
}

/**
 * What is charged when a year ends. If the site continues month by month, the plan changes with the
 * notice; after it, the plan is the member’s choice.
 */
async function announceYear(tx: Tx, deps: Deps, coming: Coming): Promise<void> {
  const { row, userId, now } = coming;
  const key = toKey(row.next_at);
  if (!isYearEnding(coming) || (await isPlanned(tx, userId, key))) return;
  const settings = await readSettings(tx, now);
  let { amount, plan } = coming;
  if (settings.continueMonthly && plan === 'annual') {
    const reason = 'The year ends; the site continues subscriptions month by month.';
    await switchPlan(tx, deps, row, { plan: 'monthly', reason, actor: 'system' });
    const changed = await findSubscription(tx, row.id);
    [amount, plan] = [changed?.next_amount ?? amount, 'monthly'];
  }
  const message = { kind: 'year-ending' as const, at: row.next_at, amount, plan };
  await enqueueMessages(tx, deps, userId, [{ key, message }]);
}

async function announceOne(deps: Deps, userId: string): Promise<void> {
  const { database, payments, clock } = deps;
  const { calendar } = payments;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    const row = await findRunningSubscription(tx, userId);
    if (!row || (row.status !== 'trial' && row.status !== 'active') || row.next_at <= now) return;
    const { amount } = findNextPrice(row, await listNoticesOf(tx, userId), calendar);
    const coming: Coming = {
      row,
      userId,
      amount,
      plan: row.next_plan ?? row.plan,
      ledger: await listLedgerEntries(tx, userId),
      method: await findMethod(tx, row.method_id),
      now,
      calendar,
    };
    await announceYear(tx, deps, coming);
    const messages = [...planForTrial(coming), ...planReminder(coming), ...planForCard(coming)];
    await enqueueMessages(tx, deps, userId, messages);
  });
}

async function announcePayments(deps: Deps, signal: AbortSignal): Promise<void> {
  const { database, payments, clock } = deps;
  const { calendar } = payments;
  const now = clock.now();
  const coming = readComing(database.db, payments.name, { now, calendar });
  await workThrough(deps, coming, signal, async ({ user_id: userId, next_at, plan }) => {
    const isNear = next_at <= calendar.addDays(now, CARD_DAYS);
    if (userId !== null && (isNear || plan === 'annual')) await announceOne(deps, userId);
  });
}

type EndingAccess = { id: string; paid_through: number | null };

const readEndingAccess = (db: Db, { now, calendar }: { now: number; calendar: Calendar }) =>
  readInPages((after: EndingAccess | null, limit) =>
    db
      .selectFrom('users')
      .select(['id', 'paid_through'])
      .where('paid_through', '>', now)
      .where('paid_through', '<=', calendar.addDays(now, GIFT_DAYS))
      .where(startAfter(['id'], after && [after.id], 0))
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

/** A gift or months that were paid once: nothing is charged when they end. */
async function announceGifts(deps: Deps, signal: AbortSignal): Promise<void> {
  const { database, payments, clock } = deps;
  const { db } = database;
  const now = clock.now();
  const { calendar } = payments;
  const ending = readEndingAccess(db, { now, calendar });
  await workThrough(deps, ending, signal, async ({ id, paid_through: until }) => {
    const last = findPeriods(await listLedgerEntries(db, id), calendar).at(-1);
    if (until === null || !last) return;
    const { kind, plan, months } = last.entry;
    const isOnce = kind === 'charge' && plan === null;
    if (kind !== 'gift' && !isOnce) return;
    const running = await findRunningSubscription(db, id);
    if (running && isRenewing(running)) return;
    const message = isOnce
      ? { kind: 'once-ending' as const, until, months: months ?? 1 }
      : { kind: 'gift-ending' as const, until };
    const key = `${message.kind}:${until}`;
    await db.transaction().execute((tx) => enqueueMessages(tx, deps, id, [{ key, message }]));
  });
}

/** Tells members once that a year, a trial, a card or a gift ends soon. */
export const announceEnds = defineSchedule({
  name: 'announce-ends',
  lane: 'payments',
  everyMs: HOUR,
  run: async (deps: Deps, { signal }) => {
    try {
      await announcePayments(deps, signal);
    } finally {
      await announceGifts(deps, signal);
    }
    deps.jobs.wake();
  },
});
