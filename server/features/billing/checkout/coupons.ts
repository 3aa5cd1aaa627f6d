import { z } from 'zod';
import type { Coupon, NewCoupon } from '#contract/admin/billing.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import type { Plan } from '#contract/rules/plans.ts';
import type { CouponsTable } from '../../../db/tables/offer-tables.ts';
import type { Db } from '../../../db/connect.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import { CursorId, CursorNumber, paginate } from '../../../http/paginate.ts';
import type { Viewer } from '../../../http/guards.ts';
import { recordAction } from '../../audit/service.ts';
import { newId } from '../../../ids.ts';
import { findCouponUse } from './coupon-uses.ts';
import { hadCouponBeforeDeletion } from '../privacy/used-offers-of-deleted-accounts.ts';

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
