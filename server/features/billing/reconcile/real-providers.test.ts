import { afterEach, describe, expect, it } from 'vitest';
import { startFakePaystack } from '../../../testing/fake-paystack.ts';
import { connectPaystack, connectStripe } from '../../../testing/fake-providers.ts';
import { startFakeStripe } from '../../../testing/fake-stripe.ts';
import type { Delivery } from '../../../testing/payments-contract/subject.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser } from '../../../testing/test-user.ts';
import { payingClient } from '../../../testing/test-payments.ts';
import { DAY } from '#contract/rules/time.ts';

const utc = (text: string) => Date.parse(`${text}T12:00:00Z`);

let test: TestApp;
const clock = { now: () => test.clock.now() };

const startPaystack = async () => {
  const fake = await startFakePaystack(clock);
  return { fake, payments: connectPaystack(fake, clock) };
};
const startStripe = async () => {
  const fake = await startFakeStripe(clock);
  return { fake, payments: connectStripe(fake, clock) };
};

let close: () => Promise<void>;
afterEach(() => close());

const open = async (start: typeof startPaystack | typeof startStripe) => {
  const { fake, payments } = await start();
  test = await createTestApp({ payments });
  close = async () => {
    await test.close();
    await fake.close();
  };
  const deliver = ({ headers, rawBody }: Delivery) =>
    test.app.inject({
      method: 'POST',
      url: `/api/webhooks/${payments.name}`,
      headers,
      payload: rawBody,
    });
  return {
    fake,
    deliver,
    me: payingClient(test, await createUser(test)),
    /** All webhooks twice and in the wrong order. */
    deliverBadly: async () => {
      const deliveries = fake.drainWebhooks();
      for (const delivery of [...deliveries, ...deliveries].toReversed())
        expect((await deliver(delivery)).statusCode).toBe(200);
      await test.worker.runDue();
      return deliveries;
    },
    pass: async (days: number) => {
      test.clock.advance(days * DAY);
      fake.passTo(test.clock.now());
    },
  };
};

describe.each([
  ['Paystack', startPaystack],
  ['Stripe', startStripe],
] as const)('with %s', (_name, start) => {
  it('unlocks every paid month, whatever the order of webhooks', async () => {
    const { fake, me, deliver, deliverBadly, pass } = await open(start);
    const { reference } = await me.begin('monthly');
    fake.pay(reference);
    expect(await me.confirm(reference)).toMatchObject({
      state: 'paid',
      purchase: { amount: 7900 },
    });
    expect(await me.isSubscriber()).toBe(true);
    const [first] = await deliverBadly();
    expect((await me.invoices()).map(({ amount }) => amount)).toEqual([7900]);
    // Webhook events are stored without data that could identify or charge the card.
    const webhookEvents = await test.deps.database.db
      .selectFrom('webhook_events')
      .select('body')
      .execute();
    const kept = webhookEvents.map(({ body }) => body).join('\n');
    expect(kept).toContain(reference);
    expect(kept).not.toMatch(/AUTH_|SIG_|408408/);

    await pass(30);
    await deliverBadly();
    expect((await me.invoices()).map(({ amount }) => amount)).toEqual([7900, 7900]);
    expect(await me.subscription()).toMatchObject({
      status: 'active',
      paidThrough: utc('2027-01-15'),
      plan: 'monthly',
    });

    const forged = { ...first, headers: {}, rawBody: first?.rawBody ?? Buffer.alloc(0) };
    expect((await deliver(forged)).statusCode).toBe(401);
  });

  it('charges a plan change with the next payment and nothing before', async () => {
    const { fake, me, deliverBadly, pass } = await open(start);
    const { reference } = await me.begin('monthly');
    fake.pay(reference);
    await me.confirm(reference);
    expect(await me.change('annual')).toMatchObject({
      plan: 'monthly',
      nextPlan: 'annual',
      nextPayment: { at: utc('2026-12-15'), amount: 79_000, plan: 'annual' },
    });
    await pass(30);
    await deliverBadly();
    expect(await me.subscription()).toMatchObject({
      status: 'active',
      plan: 'annual',
      nextPlan: null,
      paidThrough: utc('2027-12-15'),
    });
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([7900, 79_000]);
  });

  it('removes the period of a dispute or refund made at the provider', async () => {
    const { fake, me, deliverBadly } = await open(start);
    const { reference } = await me.begin('monthly');
    fake.pay(reference);
    await me.confirm(reference);
    await deliverBadly();
    const [charge] = await me.charges();
    fake.dispute(charge?.id ?? '');
    await deliverBadly();
    expect(await me.isSubscriber()).toBe(false);
    expect(await me.invoices()).toMatchObject([{ status: 'disputed' }]);
  });

  it('counts payments made during an outage once the provider is back', async () => {
    const { fake, me, deliver } = await open(start);
    const { reference } = await me.begin('annual');
    fake.pay(reference);
    const deliveries = fake.drainWebhooks();
    fake.setFault('error');
    for (const delivery of deliveries) expect((await deliver(delivery)).statusCode).toBe(200);
    await test.worker.runDue();
    expect(await me.isSubscriber()).toBe(false);
    fake.setFault(null);
    test.clock.advance(20_000);
    await test.worker.runDue();
    expect(await me.subscription()).toMatchObject({ status: 'active', plan: 'annual' });
    expect(await me.charges()).toHaveLength(1);
  });
});
