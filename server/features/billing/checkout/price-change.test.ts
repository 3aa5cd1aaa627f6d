import { afterEach, expect, it } from 'vitest';
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
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser } from '../../../testing/test-user.ts';
import { payingClient, reconcile } from '../../../testing/test-payments.ts';
import { DAY } from '#contract/rules/time.ts';

let test: TestApp;
const clock = { now: () => test.clock.now() };

type Provider = {
  payments: Payments;
  /** The operator creates a more expensive plan and puts it before the current one. */
  raise: () => void;
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
    raise: () => {
      fake.plans.PLN_new = { id: 30, plan_code: 'PLN_new', amount: 9900, interval: 'monthly' };
      plans.monthly = ['PLN_new', 'PLN_monthly'];
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
    raise: () => {
      fake.prices.push({ id: 'price_new', amount: 9900, interval: 'month' });
      prices.monthly = ['price_new', 'price_monthly'];
    },
  };
};

let close: () => Promise<void>;
afterEach(() => close());

it.each([
  ['Paystack', startPaystack],
  ['Stripe', startStripe],
] as const)(
  'keeps the old price for existing %s subscribers and charges new ones the new price',
  async (_name, start) => {
    const provider = await start();
    test = await createTestApp({ payments: provider.payments });
    close = async () => {
      await test.close();
      await provider.close();
    };
    const old = payingClient(test, await createUser(test));
    const first = await old.begin('monthly');
    provider.pay(first.reference);
    await old.confirm(first.reference);

    provider.raise();
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
