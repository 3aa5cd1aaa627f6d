import { sql } from 'kysely';
import { z } from 'zod';
import type { Coupon, NewCoupon } from '#contract/admin/billing.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import type { Plan } from '#contract/rules/plans.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import { readSettings } from '../../../db/settings.ts';
import type { CouponsTable } from '../../../db/types/offer-tables.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { CursorId, CursorNumber, paginate } from '../../../http/route/paginate.ts';
import { newId } from '../../../db/ids.ts';
import { recordAction } from '../../audit/service.ts';
import { hadCouponBeforeDeletion } from '../privacy/used-offers-of-deleted-accounts.ts';
import type { PaymentRow } from '../queries.ts';

export type CouponRow = CouponsTable;

const PlanNames = z.array(z.enum(['monthly', 'annual']));
const parsePlanNames = (text: string): Plan[] => PlanNames.parse(JSON.parse(text));

export const describeCoupon = (row: CouponRow): string =>
  row.percent !== null
    ? `${row.percent}% off the first payment`
    : `${row.free_days} days free before the first payment`;

/** Cents after a discount. */
export const reducePrice = (price: number, percent: number): number =>
  Math.round((price * (100 - percent)) / 100);

const findCoupon = (db: Db, code: string): Promise<CouponRow | undefined> =>
  db.selectFrom('coupons').selectAll().where('code', '=', code).executeTakeFirst();

type Use = { code: string; plan: Plan; userId: string; now: number };

/**
 * Who uses it, by the payments that name it: one that was made, or a page that may still be paid. Of a
 * deleted account only what was paid counts.
 */
const selectUses = (db: Db) =>
  db
    .selectFrom('payments')
    .where('coupon_id', 'is not', null)
    .where((where) =>
      where.or([
        where('state', '=', 'paid'),
        where.and([where('state', 'in', ['open', 'pending']), where('user_id', 'is not', null)]),
      ]),
    );

const countUsers = sql<number>`count(distinct coalesce(user_id, reference))`;

/** Each member once, and no more members than it allows; a page that may be paid keeps its use. */
async function isLeft(db: Db, row: CouponRow, userId: string, reference = ''): Promise<boolean> {
  const uses = selectUses(db).where('coupon_id', '=', row.id);
  const own = await uses
    .select('reference')
    .where('user_id', '=', userId)
    .where('state', '=', 'paid')
    .where('reference', '<>', reference)
    .executeTakeFirst();
  const { count } = await uses
    .select(countUsers.as('count'))
    .where((where) => where.or([where('user_id', 'is', null), where('user_id', '<>', userId)]))
    .executeTakeFirstOrThrow();
  return !own && (row.max_uses === null || count < row.max_uses);
}

/** One error for every reason, so that codes cannot be guessed. */
export async function getValidCoupon(db: Db, { code, plan, userId, now }: Use): Promise<CouponRow> {
  const row = await findCoupon(db, code);
  if (!row) throw new AppError('coupon_invalid');
  const isNow = (row.starts_at ?? 0) <= now && now < (row.ends_at ?? Infinity);
  const isOpen = isNow && (await isLeft(db, row, userId));
  if (!isOpen || !parsePlanNames(row.plans).includes(plan)) throw new AppError('coupon_invalid');
  if (await hadCouponBeforeDeletion(db, userId, row.id)) throw new AppError('coupon_invalid');
  return row;
}

/** The plans that this code can't be used for, because too little is left to pay. */
const findTooSmall = (row: CouponRow, { prices, minimumAmount }: CouponPrices): Plan[] =>
  parsePlanNames(row.plans).filter(
    (plan) => reducePrice(prices[plan], row.percent ?? 0) < minimumAmount,
  );

type CouponPrices = { prices: Record<Plan, number>; minimumAmount: number };

async function readPrices({ database, clock, payments }: Deps): Promise<CouponPrices> {
  const settings = await readSettings(database.db, clock.now());
  const { minimumAmount } = payments;
  return {
    prices: { monthly: settings.monthlyPrice, annual: settings.annualPrice },
    minimumAmount,
  };
}

const presentCoupon = (row: CouponRow, uses: number, prices: CouponPrices): Coupon => ({
  id: row.id,
  kind: row.kind,
  code: row.code,
  percent: row.percent,
  freeDays: row.free_days,
  plans: parsePlanNames(row.plans),
  maxUses: row.max_uses,
  uses,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  tooSmallFor: findTooSmall(row, prices),
  createdAt: row.created_at,
});

/**
 * Whether a payment may use its coupon. Until the end of the transaction nobody else takes the last
 * use. A payment may arrive long after its page had expired, so it is asked again then.
 */
export async function holdCoupon(
  tx: Tx,
  { coupon_id, user_id, reference }: Pick<PaymentRow, 'coupon_id' | 'user_id' | 'reference'>,
): Promise<boolean> {
  if (coupon_id === null || user_id === null) return true;
  const row = await tx
    .updateTable('coupons')
    .set({ id: coupon_id })
    .where('id', '=', coupon_id)
    .returningAll()
    .executeTakeFirst();
  return row !== undefined && isLeft(tx, row, user_id, reference);
}

export async function createCoupon(deps: Deps, viewer: Viewer, input: NewCoupon): Promise<Coupon> {
  const { database, clock } = deps;
  const now = clock.now();
  const row = await database.db.transaction().execute(async (tx) => {
    const created = await tx
      .insertInto('coupons')
      .values({
        id: newId(now),
        code: input.code,
        kind: input.kind,
        percent: input.kind === 'percent' ? input.percent : null,
        free_days: input.kind === 'free' ? input.freeDays : null,
        plans: JSON.stringify([...new Set(input.plans)]),
        max_uses: input.maxUses,
        starts_at: input.startsAt,
        ends_at: input.endsAt,
        created_by: viewer.user.id,
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!created) throw new AppError('code_taken');
    const subject = { kind: 'coupon' as const, id: created.id };
    await recordAction(
      tx,
      { actor: viewer, action: 'coupon.created', subject, after: { code: created.code } },
      now,
    );
    return created;
  });
  return presentCoupon(row, 0, await readPrices(deps));
}

export async function listCoupons(deps: Deps, page: PageQuery): Promise<Page<Coupon>> {
  const { db } = deps.database;
  const coupons = db.selectFrom('coupons').selectAll();
  const { rows, nextCursor } = await paginate(coupons, page, {
    orderBy: [
      ['created_at', CursorNumber],
      ['id', CursorId],
    ],
  });
  const prices = await readPrices(deps);
  const uses = await selectUses(db)
    .select(['coupon_id', countUsers.as('count')])
    .groupBy('coupon_id')
    .execute();
  const countOf = ({ id }: CouponRow) => uses.find((one) => one.coupon_id === id)?.count ?? 0;
  return { items: rows.map((row) => presentCoupon(row, countOf(row), prices)), nextCursor };
}
