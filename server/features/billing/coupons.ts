import { type Expression, type SqlBool } from 'kysely';
import { z } from 'zod';
import type { Coupon, NewCoupon } from '#contract/billing-admin.ts';
import { DEFAULT_PAGE_SIZE, type PageQuery } from '#contract/paging.ts';
import type { Plan } from '#contract/rules/plans.ts';
import type { CouponsTable } from '../../db/billing-tables.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import type { Viewer } from '../../http/guards.ts';
import { recordAct } from '../audit/service.ts';
import { newId } from '../../ids.ts';
import { takeUse } from './coupon-uses.ts';
import { hadCouponBefore } from './left-benefits.ts';

export type CouponRow = CouponsTable;

const PlanNames = z.array(z.enum(['monthly', 'annual']));
const readPlanNames = (text: string): Plan[] => PlanNames.parse(JSON.parse(text));

export const describeCoupon = (row: CouponRow): string =>
  row.percent !== null
    ? `${row.percent}% off the first payment`
    : `${row.free_days} days free before the first payment`;

const findCoupon = (db: Db, code: string): Promise<CouponRow | undefined> =>
  db.selectFrom('coupons').selectAll().where('code', '=', code).executeTakeFirst();

const findUse = (db: Db, couponId: string, userId: string) =>
  db
    .selectFrom('coupon_uses')
    .select(['reference', 'is_used'])
    .where('coupon_id', '=', couponId)
    .where('user_id', '=', userId)
    .executeTakeFirst();

type Use = { code: string; plan: Plan; userId: string; now: number };

/** One answer for every reason: a code must not be found by trying. */
export async function requireCoupon(db: Db, { code, plan, userId, now }: Use): Promise<CouponRow> {
  const row = await findCoupon(db, code);
  if (!row) throw new AppError('coupon_invalid');
  const isNow = (row.starts_at ?? 0) <= now && now < (row.ends_at ?? Infinity);
  const use = await findUse(db, row.id, userId);
  const isLeft = use ? use.is_used === 0 : row.max_uses === null || row.uses < row.max_uses;
  if (!isNow || !isLeft || !readPlanNames(row.plans).includes(plan))
    throw new AppError('coupon_invalid');
  if (await hadCouponBefore(db, userId, row.id)) throw new AppError('coupon_invalid');
  return row;
}

/** Held from now on, so that a code for one is never used by two. */
export async function holdCoupon(
  tx: Tx,
  coupon: CouponRow,
  { userId, reference, now }: { userId: string; reference: string; now: number },
) {
  const use = await findUse(tx, coupon.id, userId);
  if (use?.is_used === 1) throw new AppError('coupon_invalid');
  if (use) {
    await tx
      .updateTable('coupon_uses')
      .set({ reference, at: now })
      .where('coupon_id', '=', coupon.id)
      .where('user_id', '=', userId)
      .execute();
    return;
  }
  if (!(await takeUse(tx, coupon.id))) throw new AppError('coupon_invalid');
  await tx
    .insertInto('coupon_uses')
    .values({ coupon_id: coupon.id, user_id: userId, reference, is_used: 0, at: now })
    .execute();
}

const presentCoupon = (row: CouponRow): Coupon => ({
  id: row.id,
  kind: row.kind,
  code: row.code,
  percent: row.percent,
  freeDays: row.free_days,
  plans: readPlanNames(row.plans),
  maxUses: row.max_uses,
  uses: row.uses,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  createdAt: row.created_at,
});

export async function createCoupon(
  { database, clock }: Deps,
  viewer: Viewer,
  input: NewCoupon,
): Promise<Coupon> {
  const now = clock.now();
  const row = await database.db.transaction().execute(async (tx) => {
    const made = await tx
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
    if (!made) throw new AppError('code_taken');
    const subject = { kind: 'coupon' as const, id: made.id };
    await recordAct(
      tx,
      { actor: viewer, act: 'coupon.made', subject, after: { code: made.code } },
      now,
    );
    return made;
  });
  return presentCoupon(row);
}

const Position = z.tuple([z.int(), z.string().max(64)]);

export async function listCoupons(
  { database }: Deps,
  { cursor, limit = DEFAULT_PAGE_SIZE }: PageQuery,
): Promise<{ items: Coupon[]; nextCursor: string | null }> {
  const after = cursor ? decodeCursor(Position, cursor) : null;
  const rows = await database.db
    .selectFrom('coupons')
    .selectAll()
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
        eb(refTuple('created_at', 'id'), '<', tuple(after?.[0] ?? 0, after?.[1] ?? '')),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(presentCoupon),
    nextCursor: last ? encodeCursor([last.created_at, last.id]) : null,
  };
}
