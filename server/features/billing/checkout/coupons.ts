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

/** One error for every reason, so that codes cannot be guessed. */
export async function getValidCoupon(db: Db, { code, plan, userId, now }: Use): Promise<CouponRow> {
  const row = await findCoupon(db, code);
  if (!row) throw new AppError('coupon_invalid');
  const isNow = (row.starts_at ?? 0) <= now && now < (row.ends_at ?? Infinity);
  const use = await findCouponUse(db, row.id, userId);
  const isLeft = use ? use.is_used === 0 : row.max_uses === null || row.uses < row.max_uses;
  if (!isNow || !isLeft || !parsePlanNames(row.plans).includes(plan))
    throw new AppError('coupon_invalid');
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

const presentCoupon = (row: CouponRow, prices: CouponPrices): Coupon => ({
  id: row.id,
  kind: row.kind,
  code: row.code,
  percent: row.percent,
  freeDays: row.free_days,
  plans: parsePlanNames(row.plans),
  maxUses: row.max_uses,
  uses: row.uses,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  tooSmallFor: findTooSmall(row, prices),
  createdAt: row.created_at,
});

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
        uses: 0,
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
  return presentCoupon(row, await readPrices(deps));
}

export async function listCoupons(deps: Deps, page: PageQuery): Promise<Page<Coupon>> {
  const coupons = deps.database.db.selectFrom('coupons').selectAll();
  const { rows, nextCursor } = await paginate(coupons, page, {
    orderBy: [
      ['created_at', CursorNumber],
      ['id', CursorId],
    ],
  });
  const prices = await readPrices(deps);
  return { items: rows.map((row) => presentCoupon(row, prices)), nextCursor };
}

type Reservation = { couponId: string; userId: string; reference: string };

/** Counts one use of a limited coupon, until it is released; false when none is left. */
async function claimUse(tx: Tx, couponId: string): Promise<boolean> {
  const claimed = await tx
    .updateTable('coupons')
    .set({ uses: sql<number>`uses + 1` })
    .where('id', '=', couponId)
    .where((where) =>
      where.or([where('max_uses', 'is', null), where('uses', '<', where.ref('max_uses'))]),
    )
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

const findCouponUse = (db: Db, couponId: string, userId: string) =>
  db
    .selectFrom('coupon_uses')
    .select(['is_used', 'reference'])
    .where('coupon_id', '=', couponId)
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** Reserves a use for a checkout, so that two users never get the last one. */
export async function reserveCoupon(
  tx: Tx,
  { couponId, userId, reference }: Reservation,
  now: number,
) {
  const use = await findCouponUse(tx, couponId, userId);
  if (use?.is_used === 1) throw new AppError('coupon_invalid');
  if (use) {
    await tx
      .updateTable('coupon_uses')
      .set({ reference, at: now })
      .where('coupon_id', '=', couponId)
      .where('user_id', '=', userId)
      .execute();
    return;
  }
  if (!(await claimUse(tx, couponId))) throw new AppError('coupon_invalid');
  await tx
    .insertInto('coupon_uses')
    .values({ coupon_id: couponId, user_id: userId, reference, is_used: 0, at: now })
    .execute();
}

/** Gives back a use that the user reserved but has not used. */
async function releaseUse(tx: Tx, userId: string, couponId: string) {
  const row = await tx
    .deleteFrom('coupon_uses')
    .where('coupon_id', '=', couponId)
    .where('user_id', '=', userId)
    .where('is_used', '=', 0)
    .returning('coupon_id')
    .executeTakeFirst();
  if (!row) return;
  await tx
    .updateTable('coupons')
    .set({ uses: sql<number>`uses - 1` })
    .where('id', '=', couponId)
    .execute();
}

export async function releaseAllUses(tx: Tx, userId: string) {
  const reserved = await tx
    .selectFrom('coupon_uses')
    .select('coupon_id')
    .where('user_id', '=', userId)
    .execute();
  for (const { coupon_id } of reserved) await releaseUse(tx, userId, coupon_id);
}

/**
 * For any payment of the user that has arrived, even one that had expired. False if this user or all
 * users together have used it up.
 */
export async function applyCoupon(
  tx: Tx,
  { coupon_id: couponId, user_id: userId, reference }: PaymentRow,
  now: number,
): Promise<boolean> {
  if (couponId === null || userId === null) return true;
  const use = await findCouponUse(tx, couponId, userId);
  if (use?.is_used === 1) return use.reference === reference;
  if (!use && !(await claimUse(tx, couponId))) return false;
  await tx
    .insertInto('coupon_uses')
    .values({ coupon_id: couponId, user_id: userId, reference, is_used: 1, at: now })
    .onConflict((conflict) =>
      conflict.columns(['coupon_id', 'user_id']).doUpdateSet({ reference, is_used: 1 }),
    )
    .execute();
  return true;
}

/** Releases the use of a payment that won't come, unless the user has another one with this coupon. */
export async function releaseCoupon(tx: Tx, row: PaymentRow): Promise<void> {
  const { coupon_id: couponId, user_id: userId, reference } = row;
  if (couponId === null || userId === null) return;
  const other = await tx
    .selectFrom('payments')
    .select('reference')
    .where('user_id', '=', userId)
    .where('coupon_id', '=', couponId)
    .where('state', 'in', ['open', 'pending', 'paid'])
    .where('reference', '<>', reference)
    .executeTakeFirst();
  if (!other) await releaseUse(tx, userId, couponId);
}
