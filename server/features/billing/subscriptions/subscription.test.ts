import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Plans, Subscription } from '#contract/billing.ts';
import { changeSettings } from '../../../db/settings.ts';
import { payingClient } from '../../../testing/test-payments.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser, payUntil } from '../../../testing/test-user.ts';
import { DAY } from '#contract/rules/time.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

describe('the plans', () => {
  const getPlans = async () =>
    (await test.createClient().request({ url: '/api/plans' })).json<Plans>();

  it('cost what the specification says until an administrator changes the price', async () => {
    expect(await getPlans()).toEqual({
      currency: 'ZAR',
      monthly: { amount: 79_00 },
      annual: { amount: 790_00 },
      trialDays: 0,
    });
    const { db } = test.deps.database;
    const prices = { monthlyPrice: 89_00, annualPrice: 890_00 };
    await changeSettings(db, { ...prices, trialDays: 7 }, test.clock.now());
    expect(await getPlans()).toMatchObject({
      monthly: { amount: 89_00 },
      annual: { amount: 890_00 },
      trialDays: 7,
    });
  });

  it('ignore an invalid setting', async () => {
    await test.deps.database.db
      .insertInto('settings')
      .values([
        { name: 'monthlyPrice', value: '"free"', updated_at: 0 },
        { name: 'annualPrice', value: '-1', updated_at: 0 },
        { name: 'trialDays', value: 'not JSON', updated_at: 0 },
      ])
      .execute();
    expect(await getPlans()).toMatchObject({ monthly: { amount: 79_00 }, trialDays: 0 });
  });
});

describe('the subscription', () => {
  it('has a whole month from half past midnight on the first, where the site is', async () => {
    const halfPastMidnight = Date.parse('2027-02-28T22:30:00Z');
    test.clock.advance(halfPastMidnight - test.clock.now());
    const me = payingClient(test, await createUser(test));
    await me.buy('monthly');
    const { nextPayment } = await me.subscription();
    expect(nextPayment?.at).toBe(Date.parse('2027-03-31T22:30:00Z'));
  });

  it('says that a user has never paid', async () => {
    const { client } = await createUser(test);
    const response = await client.request({ url: '/api/subscription' });
    expect(response.json<Subscription>()).toEqual({
      status: 'free',
      hasAccess: false,
      plan: null,
      currency: 'ZAR',
      paidThrough: null,
      accessUntil: null,
      nextPayment: null,
      nextPlan: null,
      card: null,
      priceChange: null,
      problem: null,
      renews: false,
      isHeld: false,
      withdrawal: null,
      canResume: false,
      pending: null,
    });
  });

  it('requires a login', async () => {
    const visitor = test.createClient();
    for (const url of ['/api/subscription', '/api/subscription/invoices', '/api/checkout/quote'])
      expect((await visitor.request({ url })).statusCode).toBe(401);
  });
});

it('the grace period is a setting that applies to everyone at once', async () => {
  const { client, user } = await createUser(test);
  await payUntil(test, user, test.clock.now() - 4 * DAY);
  const isSubscriber = async () =>
    (await client.request({ url: '/api/auth/me' })).json<{ isSubscriber: boolean }>().isSubscriber;
  expect(await isSubscriber()).toBe(false);
  await changeSettings(test.deps.database.db, { graceDays: 5 }, test.clock.now());
  expect(await isSubscriber()).toBe(true);
});
