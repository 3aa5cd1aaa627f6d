import { DAY, MINUTE } from '#contract/rules/time.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { defineSchedule } from '../../../jobs/define-job.ts';
import { refuseFastClock } from '../../../jobs/wrong-clock.ts';
import { PaymentsError } from '../../../ports/payments/payments.ts';
import { closeIssue, openIssue, unsettledKey } from '../../payment-issues/service.ts';
import { settlePayment } from '../checkout/settle-payment.ts';
import { findPayment, lockAccount, type PaymentRow, type SubscriptionRow } from '../queries.ts';
import { workThrough } from '../work-through.ts';
import { chargeSubscription, countLeft, settleAsked } from './charge-due.ts';
import { endFinished } from './change-state.ts';
import { chooseProviders, closeForeignPages, openUnknownIssue } from './former-provider.ts';
import { remindLate } from './late.ts';

/** So many at a time: the rest follows within minutes. */
const BATCH = 500;
/** A payment that is due for longer is an alarm. */
const OVERDUE_DAYS = 0.5;

/** Those whose last charge has no answer yet wait for it. */
const selectDue = (db: Db, now: number) =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', 'is not', null)
    .where('held_since', 'is', null)
    .where((where) =>
      where.or([
        where.and([where('status', 'in', ['trial', 'active']), where('next_at', '<=', now)]),
        where.and([where('status', '=', 'late'), where('retry_at', '<=', now)]),
      ]),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('payments')
            .select('reference')
            .whereRef('payments.subscription_id', '=', 'subscriptions.id')
            .where('payments.state', '=', 'asked'),
        ),
      ),
    );

const OVERDUE = 'renewals-overdue';

/** Members keep their access, but somebody has to know that nothing is charged. */
async function watchOverdue(tx: Tx, { clock, payments }: Deps): Promise<void> {
  const now = clock.now();
  const since = payments.calendar.addDays(now, -OVERDUE_DAYS);
  const { count } = await selectDue(tx, now)
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('status', 'in', ['trial', 'active'])
    .where('next_at', '<', since)
    .executeTakeFirstOrThrow();
  if (count === 0) return closeIssue(tx, OVERDUE, 'All of them were charged.', now);
  const subscriptions = count === 1 ? 'One subscription has' : `${count} subscriptions have`;
  const reason = `${subscriptions} been due for more than 12 hours without being charged. Look at the switch and the limit in the settings, at PAYMENTS on the server, and at the provider.`;
  await openIssue(tx, { key: OVERDUE, kind: OVERDUE, reason, provider: payments.name }, now);
}

/** One that fails for whatever reason lets the others go first next time. */
async function chargeOne(deps: Deps, { id, status }: SubscriptionRow): Promise<void> {
  try {
    await chargeSubscription(deps, id);
  } catch (error) {
    await deps.database.db
      .updateTable('subscriptions')
      .set({ retry_at: deps.clock.now() })
      .where('id', '=', id)
      .where('status', '=', status)
      .execute();
    throw error;
  }
}

/** Charges what is due, oldest first, with a brake and a switch. */
export const renewDue = defineSchedule({
  name: 'renew-due',
  lane: 'payments',
  everyMs: 10 * MINUTE,
  run: async (deps: Deps, { signal }) => {
    const { database, clock } = deps;
    const { db } = database;
    await refuseFastClock(database);
    const now = clock.now();
    const left = await countLeft(db, now);
    const all = await selectDue(db, now).clearSelect().select('provider').distinct().execute();
    const providers = await db.transaction().execute((tx) =>
      chooseProviders(
        tx,
        deps,
        all.map(({ provider }) => provider),
      ),
    );
    const due =
      left === 0
        ? []
        : await selectDue(db, now)
            .where('provider', 'in', providers)
            .orderBy(sql`coalesce(retry_at, next_at)`)
            .orderBy('id')
            .limit(Math.min(left, BATCH))
            .execute();
    await workThrough(deps, due, signal, (row) => chargeOne(deps, row));
    await db.transaction().execute((tx) => watchOverdue(tx, deps));
    deps.jobs.wake();
  },
});

const UNREADABLE_MS = 10 * MINUTE;
/** A time further ahead was planned while the clock was wrong. */
const MAX_WAIT_MS = DAY;

/** Charged or started, but without a known outcome for a day: somebody has to look. */
async function watchUnsettled(tx: Tx, row: PaymentRow, now: number): Promise<void> {
  const key = unsettledKey(row.reference);
  const isOld = row.state === 'asked' && (row.asked_at ?? now) <= now - DAY;
  if (!isOld) return closeIssue(tx, key, 'It was settled.', now);
  await openIssue(
    tx,
    {
      key,
      kind: 'payment-unsettled',
      userId: row.user_id,
      provider: row.provider,
      reference: row.reference,
      amount: row.amount,
      currency: row.currency,
      reason:
        'A charge was asked for more than a day ago, and the payment provider hasn’t said what became of it. Nothing else is charged until then. Look it up at the provider by its reference.',
    },
    now,
  );
}

async function settleOne(deps: Deps, row: PaymentRow): Promise<void> {
  const { db } = deps.database;
  const wasAsked = row.state === 'asked';
  try {
    if (wasAsked) await settleAsked(deps, row.reference);
    else await settlePayment(deps, row.reference);
  } catch (error) {
    // One that can't be read lets the others go first.
    await db
      .updateTable('payments')
      .set({ check_at: deps.clock.now() + UNREADABLE_MS })
      .where('reference', '=', row.reference)
      .where('check_at', '=', row.check_at)
      .execute();
    throw error;
  } finally {
    const after = wasAsked ? await findPayment(db, row.reference) : undefined;
    if (after) await db.transaction().execute((tx) => watchUnsettled(tx, after, deps.clock.now()));
  }
}

/** Finds out what became of every payment whose outcome isn't known, however its answer was lost. */
export const settleOpenPayments = defineSchedule({
  name: 'settle-asked',
  lane: 'payments',
  everyMs: MINUTE,
  run: async (deps: Deps, { signal }) => {
    const { database, payments, clock } = deps;
    const now = clock.now();
    const rows = await database.db
      .selectFrom('payments')
      .selectAll()
      .where('provider', '=', payments.name)
      .where((where) =>
        where.or([where('check_at', '<=', now), where('check_at', '>', now + MAX_WAIT_MS)]),
      )
      // What we charged comes before pages that people left.
      .orderBy(sql`case when state = 'asked' then 0 else 1 end`)
      .orderBy('check_at')
      .limit(BATCH)
      .execute();
    await workThrough(deps, rows, signal, (row) => settleOne(deps, row));
    deps.jobs.wake();
  },
});

const listBy = (db: Db, statuses: readonly SubscriptionRow['status'][]) =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('status', 'in', statuses)
    .where('user_id', 'is not', null);

/** Tells those who owe a payment, ends what nobody paid, and what was cancelled and is over. */
export const dun = defineSchedule({
  name: 'dun',
  lane: 'payments',
  everyMs: 10 * MINUTE,
  run: async (deps: Deps, { signal }) => {
    const { db } = deps.database;
    const late = await listBy(db, ['late', 'needs_member']).orderBy('late_since').execute();
    const over = await listBy(db, ['ending'])
      .where('next_at', '<=', deps.clock.now())
      .limit(BATCH)
      .execute();
    try {
      await workThrough(deps, over, signal, (row) => endFinished(deps, row));
    } finally {
      await workThrough(deps, late, signal, ({ id, user_id }) =>
        db.transaction().execute(async (tx) => {
          if (user_id !== null) await lockAccount(tx, user_id);
          await remindLate(tx, deps, id);
        }),
      );
    }
    deps.jobs.wake();
  },
});

const watchedCounter = (provider: string): string => `account-watched:${provider}`;
/** A day is looked at several times, because providers list some things late. */
const OVERLAP_MS = 3 * DAY;
/** Nothing was compared for two days: somebody has to know. */
const UNWATCHED_MS = OVERLAP_MS + 2 * DAY;
/** After a clock that was ahead, nobody knows what was looked at. */
const CLOCK_WAS_AHEAD_MS = 90 * DAY;

async function readSince(db: Db, provider: string, now: number): Promise<number> {
  const row = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', watchedCounter(provider))
    .executeTakeFirst();
  const watchedUntil = row?.value ?? now;
  return watchedUntil > now ? now - CLOCK_WAS_AHEAD_MS : watchedUntil - OVERLAP_MS;
}

/** Reads a payment again; one that we don't know becomes an issue. */
export async function watchPayment(deps: Deps, reference: string): Promise<void> {
  const { database, payments, clock } = deps;
  if (await findPayment(database.db, reference)) await settlePayment(deps, reference);
  else
    await database.db.transaction().execute((tx) =>
      openUnknownIssue(
        tx,
        {
          provider: payments.name,
          reference,
          reason: `The payment provider has a payment (${reference}) that no one started here. Look it up at the provider and refund it there.`,
        },
        clock.now(),
      ),
    );
}

/** Compares the provider's account with ours, so that nothing depends on webhook events. */
export const watchAccount = defineSchedule({
  name: 'watch-account',
  lane: 'payments',
  everyMs: DAY / 2,
  run: async (deps: Deps, { signal }) => {
    const { database, payments, clock, log } = deps;
    const { db } = database;
    const now = clock.now();
    await closeForeignPages(deps);
    const since = await readSince(db, payments.name, now);
    const failures: PaymentsError[] = [];
    /** One that can't be read doesn't hold up the others. */
    const noteFailure = (error: unknown) => {
      if (!(error instanceof PaymentsError)) throw error;
      failures.push(error);
    };
    const references = await payments.listChanges(since).catch(noteFailure);
    for (const reference of references ?? []) {
      if (signal.aborted) return;
      await watchPayment(deps, reference).catch(noteFailure);
    }
    const [err] = failures;
    // An outage of the provider ends by itself, and the next run begins where this one did.
    if (err && since < now - UNWATCHED_MS) throw err;
    if (err) return log.warn({ err }, 'The provider’s account couldn’t be compared with ours.');
    await db
      .insertInto('counters')
      .values({ name: watchedCounter(payments.name), value: now })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: now }))
      .execute();
    deps.jobs.wake();
  },
});
