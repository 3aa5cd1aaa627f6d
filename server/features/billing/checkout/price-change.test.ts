import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { changeSettings } from '../../../db/settings.ts';
import {
  openProviderSite,
  PROVIDERS,
  type ProviderSite,
} from '../../../testing/paying/provider-site.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { runSchedule } from '../../../testing/test-payments.ts';
import { createUser } from '../../../testing/test-user.ts';

let site: ProviderSite;
afterEach(() => site.close());

describe.each(PROVIDERS)('another price with %s', (provider) => {
  beforeEach(async () => {
    site = await openProviderSite(provider);
  });

  it('is for new subscribers only: the others keep theirs', async () => {
    const { test } = site;
    const old = site.payer(await createUser(test));
    await old.buy('monthly');
    await changeSettings(test.deps.database.db, { monthlyPrice: 99_00 }, test.clock.now());
    const young = site.payer(await createUser(test, 'lerato'));
    expect(await young.buy('monthly')).toMatchObject({ purchase: { amount: 99_00 } });
    await site.pass(31 * DAY);
    expect((await old.charges()).map(({ amount }) => amount)).toEqual([79_00, 79_00]);
    expect((await young.charges()).map(({ amount }) => amount)).toEqual([99_00, 99_00]);
    expect(await old.subscription()).toMatchObject({
      plan: 'monthly',
      status: 'active',
      nextPayment: { amount: 79_00 },
    });
  });

  it('that was planned and announced is charged to everyone in time', async () => {
    const { test } = site;
    const old = site.payer(await createUser(test));
    await old.buy('monthly');
    const admin = await createAdmin(test, 'boss');
    const startsAt = test.clock.now() + 20 * DAY;
    const payload = { plan: 'monthly', amount: 99_00, startsAt, noticeDays: 30 };
    const url = '/api/admin/prices/changes';
    const planned = await admin.client.request({ method: 'POST', url, payload });
    expect(planned.statusCode).toBe(200);
    for (let week = 0; week < 9; week += 1) {
      await site.pass(7 * DAY);
      await runSchedule(test, 'check-price-changes');
    }
    expect((await old.charges()).map(({ amount }) => amount)).toEqual([79_00, 79_00, 99_00]);
    expect(await old.subscription()).toMatchObject({
      status: 'active',
      nextPayment: { amount: 99_00 },
    });
    const young = site.payer(await createUser(test, 'lerato'));
    expect(await young.buy('monthly')).toMatchObject({ purchase: { amount: 99_00 } });
  });
});
