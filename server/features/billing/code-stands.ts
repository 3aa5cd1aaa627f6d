import type { Db } from '../../db/connect.ts';
import type { CheckoutRow } from './queries.ts';
import type { CodeStand } from './truth.ts';

type Codes = ReadonlyMap<string, CodeStand>;

/** How the codes of those checkouts stand that may still be paid. */
export async function readCodeStands(
  db: Db,
  userId: string,
  checkouts: readonly CheckoutRow[],
): Promise<Map<string, CodeStand>> {
  const ids = checkouts
    .filter(({ state }) => state !== 'paid' && state !== 'refused')
    .flatMap(({ coupon_id }) => coupon_id ?? []);
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('coupons')
    .leftJoin('coupon_uses', (join) =>
      join.onRef('coupon_uses.coupon_id', '=', 'coupons.id').on('coupon_uses.user_id', '=', userId),
    )
    .select(['id', 'max_uses', 'uses', 'reference', 'is_used'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(
    rows.map(({ id, max_uses, uses, reference, is_used }) => [
      id,
      {
        usedBy: is_used === 1 ? reference : null,
        // What the member holds has been counted already.
        isLeft: reference !== null || max_uses === null || uses < max_uses,
      },
    ]),
  );
}

const standOf = (codes: Codes | undefined, { coupon_id }: CheckoutRow): CodeStand | undefined =>
  coupon_id === null ? undefined : codes?.get(coupon_id);

/** Others have used up what this member's page held, and gave up, too long ago. */
export function isCodeGone(codes: Codes | undefined, row: CheckoutRow): boolean {
  const stand = standOf(codes, row);
  return stand?.usedBy === null && !stand.isLeft;
}

/** The same, or another page of this member has used it. */
export function isCodeSpent(codes: Codes | undefined, row: CheckoutRow): boolean {
  const usedBy = standOf(codes, row)?.usedBy ?? null;
  return usedBy === null ? isCodeGone(codes, row) : usedBy !== row.reference;
}

/** A reduced price is for one payment: the code is used from here on. */
export function spendCode(codes: Codes | undefined, row: CheckoutRow): Codes {
  const { coupon_id: id, reference } = row;
  return new Map([
    ...(codes ?? []),
    ...(id === null ? [] : [[id, { usedBy: reference, isLeft: false }] as const]),
  ]);
}
