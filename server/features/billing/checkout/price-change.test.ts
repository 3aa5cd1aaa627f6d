/** @module-tag both-databases */
import { afterEach, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { listOpenIssues } from '../../payment-issues/service.ts';
import type { PlanIds } from '../../../payments-settings.ts';
import { changeSettings } from '../../../db/settings.ts';
import type { Payments } from '../../../ports/payments/payments.ts';
import { createPaystackPayments } from '../../../ports/payments/paystack/paystack-payments.ts';
import { createStripePayments } from '../../../ports/payments/stripe/stripe-payments.ts';
import { PAYSTACK_KEY, startFakePaystack } from '../../../testing/fake-paystack.ts';
import {
  STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET,
  startFakeStripe,
} from '../../../testing/fake-stripe.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser } from '../../../testing/test-user.ts';
import { payingClient, reconcile, runSchedule } from '../../../testing/test-payments.ts';
import { DAY } from '#contract/rules/time.ts';
import { itOnSqlite } from '../../../testing/on-sqlite.ts';

let test: TestApp;
const clock = { now: () => test.clock.now() };

type Provider = {
  payments: Payments;
  /** The operator creates another plan. */
  create: (interval: 'monthly' | 'annual', amount: number) => string;
  /** Puts a plan before the current one. */
  sell: (id: string) => void;
  pay: (reference: string) => void;
  passTo: (time: number) => void;
  close: () => Promise<void>;
};

const startPaystack = async (): Promise<Provider> => {
  const fake = await startFakePaystack(clock);
  const plans: PlanIds = { monthly: ['PLN_monthly'], annual: ['PLN_annual'] };
  const settings = { api: fake.origin, secretKey: PAYSTACK_KEY, plans };
  return {
    ...fake,
    payments: createPaystackPayments(settings, { clock }),
    create: (interval, amount) => {
      fake.plans.PLN_new = {
        id: 30,
        plan_code: 'PLN_new',
        amount,
        interval: interval === 'annual' ? 'annually' : 'monthly',
      };
      return 'PLN_new';
    },
    sell: (id) => {
      plans.monthly = [id, 'PLN_monthly'];
    },
  };
};

const startStripe = async (): Promise<Provider> => {
  const fake = await startFakeStripe(clock);
  const prices: PlanIds = { monthly: ['price_monthly'], annual: ['price_annual'] };
  const keys = { secretKey: STRIPE_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET };
  return {
    ...fake,
    payments: createStripePayments({ api: fake.origin, ...keys, prices }, { clock }),
    create: (interval, amount) => {
      const id = `price_new_${amount}_${interval}`;
      fake.prices.push({ id, amount, interval: interval === 'annual' ? 'year' : 'month' });
      return id;
    },
    sell: (id) => {
      prices.monthly = [id, 'price_monthly'];
    },
  };
};

let close: () => Promise<void>;
afterEach(() => close());

async function open(start: () => Promise<Provider>): Promise<Provider> {
  const provider = await start();
  test = await createTestApp({ payments: provider.payments });
  close = async () => {
    await test.close();
    await provider.close();
  };
  return provider;
}

const providers = [
  ['Paystack', startPaystack],
  ['Stripe', startStripe],
] as const;

itOnSqlite.each(providers)(
  'keeps the old price for existing %s subscribers and charges new ones the new price',
  async (_name, start) => {
    const provider = await open(start);
    const old = payingClient(test, await createUser(test));
    const first = await old.begin('monthly');
    provider.pay(first.reference);
    await old.confirm(first.reference);

    provider.sell(provider.create('monthly', 99_00));
    await changeSettings(test.deps.database.db, { monthlyPrice: 99_00 }, test.clock.now());
    const young = payingClient(test, await createUser(test, 'lerato'));
    const second = await young.begin('monthly');
    provider.pay(second.reference);
    expect(await young.confirm(second.reference)).toMatchObject({ purchase: { amount: 99_00 } });

    test.clock.advance(31 * DAY);
    provider.passTo(test.clock.now());
    await reconcile(test);
    expect((await old.charges()).map(({ amount }) => amount)).toEqual([79_00, 79_00]);
    expect((await young.charges()).map(({ amount }) => amount)).toEqual([99_00, 99_00]);
    expect(await old.isSubscriber()).toBe(true);
    expect(await old.subscription()).toMatchObject({
      plan: 'monthly',
      status: 'active',
      nextPayment: { amount: 79_00 },
    });
  },
);

itOnSqlite.each(providers)(
  'moves existing %s subscribers to a planned price in time',
  async (_name, start) => {
    const provider = await open(start);
    const old = payingClient(test, await createUser(test));
    const first = await old.begin('monthly');
    provider.pay(first.reference);
    await old.confirm(first.reference);
    const admin = await createAdmin(test, 'boss');
    const startsAt = test.clock.now() + 20 * DAY;
    const body = { plan: 'monthly', amount: 99_00, startsAt, noticeDays: 30 };
    const plan = (planId: string | null) =>
      admin.client.request({
        method: 'POST',
        url: '/api/admin/prices/changes',
        payload: { ...body, planId },
      });
    for (const wrong of [null, 'PLN_unknown', provider.create('monthly', 89_00)])
      expect((await plan(wrong)).json<ErrorBody>().fields).toHaveProperty('planId');
    expect((await plan(provider.create('annual', 99_00))).json<ErrorBody>().fields).toMatchObject({
      planId: expect.stringMatching(/annually|every 1 year/),
    });
    expect((await plan(provider.create('monthly', 99_00))).statusCode).toBe(200);
    for (let day = 0; day < 62; day += 1) {
      test.clock.advance(DAY);
      provider.passTo(test.clock.now());
      await reconcile(test);
      await runSchedule(test, 'check-price-changes');
    }
    expect((await old.charges()).map(({ amount }) => amount)).toEqual([79_00, 79_00, 99_00]);
    expect(await old.subscription()).toMatchObject({
      plan: 'monthly',
      status: 'active',
      nextPayment: { amount: 99_00 },
    });
    const young = payingClient(test, await createUser(test, 'lerato'));
    const second = await young.begin('monthly');
    provider.pay(second.reference);
    expect(await young.confirm(second.reference)).toMatchObject({ purchase: { amount: 99_00 } });
  },
);

it.each(providers)(
  'starts no checkout when the %s plan has the right price but another interval',
  async (_name, start) => {
    const provider = await open(start);
    provider.sell(provider.create('annual', 99_00));
    await changeSettings(test.deps.database.db, { monthlyPrice: 99_00 }, test.clock.now());
    const member = await createUser(test);
    const payload = { plan: 'monthly' };
    const checkout = () => member.client.request({ method: 'POST', url: '/api/checkout', payload });
    const refused = await checkout();
    expect([refused.statusCode, refused.json<ErrorBody>().code]).toEqual([
      503,
      'provider_unavailable',
    ]);
    expect(test.logText()).toMatch(/charged (annually|every 1 year)/);
    expect(await listOpenIssues(test.deps.database.db)).toMatchObject([
      { kind: 'checkout-refused', because: expect.stringMatching(/annually|every 1 year/) },
    ]);
    await changeSettings(test.deps.database.db, { monthlyPrice: 79_00 }, test.clock.now());
    expect((await checkout()).statusCode).toBe(200);
    expect(await listOpenIssues(test.deps.database.db)).toEqual([]);
  },
);
