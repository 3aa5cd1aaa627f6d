import { buildUser } from '../../db/build-rows.ts';
import { createCoupon } from '../../features/billing/checkout/coupons.ts';
import { newId } from '../../db/ids.ts';
import type { TestApp } from '../test-app.ts';
import type { SiteUser } from './provider-model.ts';
import { DAY } from '#contract/rules/time.ts';

const limits = {
  plans: ['monthly' as const, 'annual' as const],
  maxUses: null,
  startsAt: null,
  endsAt: null,
};

/** New users without any payments. */
export async function createUsers(test: TestApp, count: number): Promise<SiteUser[]> {
  const now = test.clock.now();
  const users = Array.from({ length: count }, () => buildUser({ id: newId(now), created_at: now }));
  await test.deps.database.db.insertInto('users').values(users).execute();
  return users.map((user) => ({
    viewer: { user: { ...user, grace_ms: 3 * DAY } },
    gift: null,
    cancelledAt: null,
    wantedAt: 0,
  }));
}

/** The coupons of the random histories. */
export async function createCoupons(test: TestApp) {
  const [admin] = await createUsers(test, 1);
  if (!admin) throw new Error('There is no user to create coupons.');
  await createCoupon(test.deps, admin.viewer, {
    code: 'HALF',
    kind: 'percent',
    percent: 50,
    ...limits,
  });
  await createCoupon(test.deps, admin.viewer, {
    code: 'MONTH',
    kind: 'free',
    freeDays: 30,
    ...limits,
  });
}
