import { z } from 'zod';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Db } from '../../../db/connect.ts';
import { readInPages } from '../../../db/export-rows.ts';
import { startAfter } from '../../../db/keyset.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob, defineSchedule } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { findPeriods } from '../ledger/paid-through.ts';
import { isPaidForYear, type PlannedMessage } from '../messages/plan-messages.ts';
import { enqueueMessages } from '../messages/send-messages.ts';
import {
  isRenewing,
  listLedgerEntries,
  listProviderSubscriptionsOf,
  type ProviderSubscriptionRow,
} from '../queries.ts';
import { findAgreedAmount, readAgreedPrices } from './agreed-prices.ts';
import { continueMonthly } from './change-plan.ts';
import { findCurrentSubscription } from './service.ts';

/**
 * The law wants a notice 40 to 80 business days before a fixed term ends. Twelve weeks are 60 working
 * days, and never fewer than 40 without the public holidays.
 */
export const YEAR_NOTICE_DAYS = 84;
const GIFT_DAYS = 7;

/** Once per end of a year, whatever continues after it. */
const toKey = (endsAt: number): string =>
  `year-ending:${new Date(endsAt).toISOString().slice(0, 10)}`;

const isSent = async (db: Db, userId: string, key: string): Promise<boolean> =>
  (await db
    .selectFrom('sent_messages')
    .select('key')
    .where('key', '=', `${userId}:${key}`)
    .executeTakeFirst()) !== undefined;

const readEndingYears = (
  db: Db,
  provider: string,
  { now, calendar }: { now: number; calendar: Calendar },
) =>
  readInPages((after: ProviderSubscriptionRow | null, limit) =>
    db
      .selectFrom('provider_subscriptions')
      .selectAll()
      .where('provider', '=', provider)
      .where('status', '=', 'active')
      .where('plan', '=', 'annual')
      .where('is_duplicate', '=', 0)
      .where('replaced_by', 'is', null)
      .where('user_id', 'is not', null)
      .where('next_charge_at', '>', now)
      .where('next_charge_at', '<=', calendar.addDays(now, YEAR_NOTICE_DAYS))
      .where(startAfter(['id'], after && [after.id], 0))
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

/** What will be charged when the year ends. */
function planNotice(row: ProviderSubscriptionRow): PlannedMessage | null {
  const plan = row.next_plan ?? row.plan;
  const amount = row.next_amount ?? findAgreedAmount(readAgreedPrices(row.agreed_prices), plan);
  const { next_charge_at: at } = row;
  if (at === null || amount === null) return null;
  return { key: toKey(at), message: { kind: 'year-ending', at, amount, plan } };
}

/**
 * Changes to the monthly plan from the end of the year, and tells the member, who can go back to another
 * year. The notice is the record: after it, the plan is the member’s choice.
 */
export const continueMonthlyJob = defineJob({
  name: 'continue-monthly',
  lane: 'payments',
  payload: z.object({ userId: z.string(), endsAt: z.int() }),
  maxAttempts: countAttemptsWithin(7 * DAY),
  run: async (deps: Deps, { userId, endsAt }) => {
    const { database, payments, clock } = deps;
    const { db } = database;
    const findCurrent = async () =>
      findCurrentSubscription(await listProviderSubscriptionsOf(db, userId), payments.name);
    if (await isSent(db, userId, toKey(endsAt))) return;
    const before = await findCurrent();
    if (!before || !isRenewing(before) || before.next_charge_at !== endsAt) return;
    if ((before.next_plan ?? before.plan) === 'annual') await continueMonthly(deps, userId, before);
    const after = await findCurrent();
    const notice = after && planNotice(after);
    if (!notice) return;
    await db
      .transaction()
      .execute((tx) =>
        enqueueMessages(tx, userId, [{ ...notice, key: toKey(endsAt) }], clock.now()),
      );
    deps.jobs.wake();
  },
});

async function announceYears(deps: Deps, signal: AbortSignal): Promise<void> {
  const { database, payments, clock } = deps;
  const { db } = database;
  const now = clock.now();
  const { calendar } = payments;
  const settings = await readSettings(db, now);
  for await (const row of readEndingYears(db, payments.name, { now, calendar })) {
    const { user_id: userId, next_charge_at: endsAt } = row;
    if (signal.aborted) return;
    const notice = planNotice(row);
    if (userId === null || endsAt === null || !notice) continue;
    if (await isSent(db, userId, notice.key)) continue;
    // The first payment after a trial isn’t the end of a year.
    if (!isPaidForYear(await listLedgerEntries(db, userId), calendar)) continue;
    if (settings.continueMonthly)
      await enqueue(
        db,
        continueMonthlyJob,
        { userId, endsAt },
        { now, uniqueKey: `continue-monthly:${userId}` },
      );
    else await db.transaction().execute((tx) => enqueueMessages(tx, userId, [notice], now));
  }
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

/** Users with a gift may have no subscription, so no reconciliation would notice its end. */
async function announceGifts(deps: Deps, signal: AbortSignal): Promise<void> {
  const { database, payments, clock } = deps;
  const { db } = database;
  const now = clock.now();
  const { calendar } = payments;
  for await (const { id, paid_through: until } of readEndingAccess(db, { now, calendar })) {
    if (signal.aborted) return;
    const last = findPeriods(await listLedgerEntries(db, id), calendar).at(-1);
    if (until === null || last?.entry.kind !== 'gift') continue;
    const subscriptions = await listProviderSubscriptionsOf(db, id);
    if (subscriptions.some(isRenewing)) continue;
    const message = { kind: 'gift-ending' as const, until };
    await db
      .transaction()
      .execute((tx) => enqueueMessages(tx, id, [{ key: `gift-ending:${until}`, message }], now));
  }
}

/** Tells members once that a year or a gift ends soon. */
export const announceEnds = defineSchedule({
  name: 'announce-ends',
  lane: 'payments',
  everyMs: HOUR,
  run: async (deps: Deps, { signal }) => {
    await announceYears(deps, signal);
    await announceGifts(deps, signal);
    deps.jobs.wake();
  },
});
