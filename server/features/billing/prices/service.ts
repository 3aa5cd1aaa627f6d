import type { z } from 'zod';
import type { NewPriceChange, PriceChange, Prices } from '#contract/admin/prices.ts';
import { formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Db } from '../../../db/connect.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { newId } from '../../../db/ids.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { recordAction } from '../../audit/service.ts';
import { priceOf } from '../checkout/quote.ts';
import { runPriceChange } from './jobs.ts';
import { findChange, type PriceChangeRow } from './next-price.ts';

type Input = z.output<typeof NewPriceChange>;

const MAX_AHEAD_MS = 2 * 366 * DAY;
const MAX_LISTED = 50;

async function countMembers(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('price_change_members')
    .select((select) => ['change_id', 'state', select.fn.countAll<number>().as('count')])
    .where('change_id', 'in', ids)
    .groupBy(['change_id', 'state'])
    .execute();
}

/** Before its date, and before it is part of anyone's next payment. */
const canCancel = ({ state, is_applied }: PriceChangeRow): boolean =>
  state === 'planned' && is_applied === 0;

export async function getPrices({ database, clock, payments }: Deps): Promise<Prices> {
  const { db } = database;
  const { monthlyPrice, annualPrice } = await readSettings(db, clock.now());
  const rows = await db
    .selectFrom('price_changes')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  const counts = await countMembers(
    db,
    rows.map(({ id }) => id),
  );
  const count = (id: string, states: readonly string[]) =>
    counts
      .filter((row) => row.change_id === id && states.includes(row.state))
      .reduce((sum, row) => sum + row.count, 0);
  const changes = rows.map((row): PriceChange => ({
    id: row.id,
    plan: row.plan,
    oldAmount: row.old_amount,
    amount: row.amount,
    startsAt: row.starts_at,
    noticeDays: row.notice_days,
    state: row.state,
    told: count(row.id, ['told', 'applied', 'cancelled', 'replaced']),
    applied: count(row.id, ['applied']),
    canCancel: canCancel(row),
    createdAt: row.created_at,
  }));
  return {
    monthly: monthlyPrice,
    annual: annualPrice,
    minimumAmount: payments.minimumAmount,
    changes,
  };
}

const refuseField = (field: keyof Input, message: string): AppError =>
  new AppError('validation_failed', { message, fields: { [field]: message } });

/** Tells subscribers right away; its date comes later. */
export async function planPriceChange(deps: Deps, viewer: Viewer, input: Input): Promise<Prices> {
  const { database, clock, payments } = deps;
  const { db } = database;
  const now = clock.now();
  const { plan, amount, startsAt, noticeDays } = input;
  if (startsAt <= now) throw refuseField('startsAt', 'Choose a date in the future.');
  if (startsAt > now + MAX_AHEAD_MS)
    throw refuseField('startsAt', 'Choose a date within the next two years.');
  if (amount < payments.minimumAmount)
    throw refuseField(
      'amount',
      `The payment provider takes no less than ${formatMoney(payments.minimumAmount, CURRENCY)}.`,
    );
  const oldAmount = priceOf(await readSettings(db, now), plan);
  const id = newId(now);
  await db.transaction().execute(async (tx) => {
    const created = await tx
      .insertInto('price_changes')
      .values({
        id,
        plan,
        old_amount: oldAmount,
        amount,
        starts_at: startsAt,
        notice_days: noticeDays,
        provider: payments.name,
        state: 'planned',
        is_applied: 0,
        created_by: viewer.user.id,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!created) throw new AppError('price_change_pending');
    const subject = { kind: 'price' as const, id };
    const after = { plan, amount, startsAt: new Date(startsAt).toISOString(), noticeDays };
    const action = 'price-change.planned';
    await recordAction(tx, { actor: viewer, action, subject, after }, now);
    await enqueue(tx, runPriceChange, { changeId: id }, { now });
    await enqueue(tx, runPriceChange, { changeId: id }, { now, runAt: startsAt });
  });
  deps.jobs.wake();
  return getPrices(deps);
}

export async function cancelPriceChange(deps: Deps, viewer: Viewer, id: string): Promise<Prices> {
  const { database, clock } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const row = await findChange(tx, id);
    if (!row) throw new AppError('not_found');
    const cancelled = await tx
      .updateTable('price_changes')
      .set({ state: 'cancelled', updated_at: now })
      .where('id', '=', id)
      .where('state', '=', 'planned')
      .where('is_applied', '=', 0)
      .returning('id')
      .executeTakeFirst();
    if (!cancelled) throw new AppError('price_change_started');
    const { plan, amount } = row;
    const subject = { kind: 'price' as const, id };
    const action = 'price-change.cancelled';
    await recordAction(tx, { actor: viewer, action, subject, after: { plan, amount } }, now);
    await enqueue(tx, runPriceChange, { changeId: id }, { now });
  });
  deps.jobs.wake();
  return getPrices(deps);
}
