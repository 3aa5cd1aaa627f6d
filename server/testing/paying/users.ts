import { buildUser } from '../../db/build-rows.ts';
import { createCoupon } from '../../features/billing/coupons/coupons.ts';
import { newId } from '../../ids.ts';
import type { TestApp } from '../test-app.ts';
import type { Member } from './site.ts';
import { DAY } from '#contract/rules/time.ts';

const limits = {
  plans: ['monthly' as const, 'annual' as const],
  maxUses: null,
  startsAt: null,
  endsAt: null,
};

/** People who have not done anything yet. */
export async function createMembers(test: TestApp, count: number): Promise<Member[]> {
  const now = test.clock.now();
  const users = Array.from({ length: count }, () => buildUser({ id: newId(now), created_at: now }));
  await test.deps.database.db.insertInto('users').values(users).execute();
  return users.map((user) => ({ viewer: { user: { ...user, grace_ms: 3 * DAY } }, gift: null }));
}

/** The codes that histories know. */
export async function createCodes(test: TestApp) {
  const [boss] = await createMembers(test, 1);
  if (!boss) throw new Error('Nobody is there to make codes.');
  await createCoupon(test.deps, boss.viewer, {
    code: 'HALF',
    kind: 'percent',
    percent: 50,
    ...limits,
  });
  await createCoupon(test.deps, boss.viewer, {
    code: 'MONTH',
    kind: 'free',
    freeDays: 30,
    ...limits,
  });
}
