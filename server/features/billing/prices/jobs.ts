import { sql } from 'kysely';
import { z } from 'zod';
import { HOUR } from '#contract/rules/time.ts';
import type { Db } from '../../../db/connect.ts';
import { readInPages } from '../../../db/export-rows.ts';
import type { Deps } from '../../../deps.ts';
import { defineJob, defineSchedule } from '../../../jobs/define-job.ts';
import { recordAction } from '../../audit/service.ts';
import { reloadSettings, writeSiteSettings } from '../../settings/service.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import type { SubscriptionRow } from '../queries.ts';
import { workThrough } from '../work-through.ts';
import {
  findChange,
  findFirstPayment,
  findKnown,
  findStart,
  holdChange,
  listNoticesOf,
  listOpenChanges,
  listTold,
  priceMessageKey,
  priceOfNext,
  type PriceChangeMember,
  type PriceChangeRow,
  type PriceNotice,
} from './next-price.ts';

/** Subscriptions to this plan whose owners don't know about the change yet. */
const readUntold = (db: Db, { id, plan, provider }: PriceChangeRow) =>
  readInPages((after: SubscriptionRow | null, limit) =>
    db
      .selectFrom('subscriptions')
      .selectAll()
      .where('provider', '=', provider)
      .where('status', 'in', ['trial', 'active', 'late', 'needs_member'])
      .where('user_id', 'is not', null)
      .where(sql<string>`coalesce(next_plan, plan)`, '=', plan)
      .where((where) =>
        where.not(
          where.exists(
            db
              .selectFrom('price_change_members')
              .select('user_id')
              .where('change_id', '=', id)
              .whereRef('price_change_members.user_id', '=', sql.ref('subscriptions.user_id')),
          ),
        ),
      )
      .where('id', '>', after?.id ?? '')
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

type Subscriber = {
  row: SubscriptionRow;
  userId: string;
  paid: number;
  known: PriceNotice | null;
};

/** The member and the e-mail in one transaction, unless the change was cancelled meanwhile. */
async function tellMember(deps: Deps, change: PriceChangeRow, subscriber: Subscriber) {
  const { database, clock, payments } = deps;
  const { calendar } = payments;
  const { id, plan, amount } = change;
  const { row, userId, paid, known } = subscriber;
  const now = clock.now();
  const oldAmount = known?.amount ?? paid;
  const appliesFrom = findStart(change, subscriber, { now, calendar });
  const at = findFirstPayment({ nextChargeAt: row.next_at, plan }, appliesFrom, calendar);
  await database.db.transaction().execute(async (tx) => {
    if (!(await holdChange(tx, id, now))) return;
    const member: PriceChangeMember = {
      change_id: id,
      user_id: userId,
      old_amount: oldAmount,
      told_at: now,
      applies_from: appliesFrom,
      starts_at: null,
      state: 'told',
      updated_at: now,
    };
    const added = await tx
      .insertInto('price_change_members')
      .values(member)
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (!added) return;
    const message =
      amount === oldAmount
        ? { kind: 'price-change-cancelled' as const, plan, amount }
        : { kind: 'price-change' as const, plan, oldAmount, amount, at };
    await enqueueMessages(tx, deps, userId, [{ key: priceMessageKey(id), message }]);
  });
}

/** Tells everyone who expects another price for this plan. It can stop and go on at any point. */
async function tellMembers(deps: Deps, change: PriceChangeRow, signal: AbortSignal) {
  const { db } = deps.database;
  await workThrough(deps, readUntold(db, change), signal, async (row) => {
    const { user_id: userId } = row;
    const paid = priceOfNext(row);
    if (userId === null) return;
    const told = listTold(await listNoticesOf(db, userId), change);
    if ((told[0]?.amount ?? paid) === change.amount) return;
    await tellMember(deps, change, { row, userId, paid, known: findKnown(told) });
  });
}

/** Tells everyone who was told about it that it won't happen. */
async function tellCancelled(deps: Deps, change: PriceChangeRow, signal: AbortSignal) {
  const { database, clock } = deps;
  const { id, plan } = change;
  const told = readInPages((after: { user_id: string; old_amount: number } | null, limit) =>
    database.db
      .selectFrom('price_change_members')
      .select(['user_id', 'old_amount'])
      .where('change_id', '=', id)
      .where('state', '=', sql.lit('told'))
      .where('user_id', '>', after?.user_id ?? '')
      .orderBy('user_id')
      .limit(limit)
      .execute(),
  );
  await workThrough(deps, told, signal, async ({ user_id: userId, old_amount: amount }) => {
    const now = clock.now();
    await database.db.transaction().execute(async (tx) => {
      await tx
        .updateTable('price_change_members')
        .set({ state: 'cancelled', updated_at: now })
        .where('change_id', '=', id)
        .where('user_id', '=', userId)
        .execute();
      const message = { kind: 'price-change-cancelled' as const, plan, amount };
      await enqueueMessages(tx, deps, userId, [{ key: `price-change-cancelled:${id}`, message }]);
    });
  });
}

/** On its date the new price becomes the price of the site, and the one before is history. */
async function startChange(deps: Deps, change: PriceChangeRow): Promise<void> {
  const { database, clock } = deps;
  const { id, plan, amount, old_amount: before } = change;
  const now = clock.now();
  if (change.state !== 'planned' || now < change.starts_at) return;
  await database.db.transaction().execute(async (tx) => {
    const started = await tx
      .updateTable('price_changes')
      .set({ state: 'current', updated_at: now })
      .where('id', '=', id)
      .where('state', '=', 'planned')
      .returning('id')
      .executeTakeFirst();
    if (!started) return;
    await tx
      .updateTable('price_changes')
      .set({ state: 'replaced', updated_at: now })
      .where('plan', '=', plan)
      .where('state', '=', 'current')
      .where('id', '<>', id)
      .execute();
    const name = plan === 'annual' ? 'annualPrice' : 'monthlyPrice';
    await writeSiteSettings(tx, { [name]: amount }, now);
    await recordAction(
      tx,
      {
        actor: { userId: change.created_by },
        action: 'settings.changed',
        subject: { kind: 'site' },
        before: { [name]: before },
        after: { [name]: amount },
        reason: 'The date of a planned price change.',
      },
      now,
    );
  });
  await reloadSettings(deps);
}

/** Everything that is due for price changes. Running it again does nothing twice. */
async function workOnPriceChanges(deps: Deps, signal: AbortSignal): Promise<void> {
  const { database, payments } = deps;
  const { db } = database;
  for (const change of await listOpenChanges(db, payments.name)) await startChange(deps, change);
  const open = await listOpenChanges(db, payments.name);
  const newest = open.filter((one) => open.findLast(({ plan }) => plan === one.plan) === one);
  await workThrough(deps, newest, signal, (change) => tellMembers(deps, change, signal));
  deps.jobs.wake();
}

/** Right after a change was planned or cancelled, and on its date. */
export const runPriceChange = defineJob({
  name: 'run-price-change',
  lane: 'payments',
  payload: z.object({ changeId: z.string() }),
  run: async (deps: Deps, { changeId }, { signal }) => {
    const change = await findChange(deps.database.db, changeId);
    if (change?.state === 'cancelled') await tellCancelled(deps, change, signal);
    else await workOnPriceChanges(deps, signal);
  },
});

export const checkPriceChanges = defineSchedule({
  name: 'check-price-changes',
  lane: 'payments',
  everyMs: HOUR,
  run: async (deps: Deps, { signal }) => workOnPriceChanges(deps, signal),
});
