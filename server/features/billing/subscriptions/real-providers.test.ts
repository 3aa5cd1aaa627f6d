import { afterEach, describe, expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { openProviderSite, type ProviderSite } from '../../../testing/paying/provider-site.ts';
import type { Delivery } from '../../../testing/payments-contract/subject.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { runPaymentJobs } from '../../../testing/test-payments.ts';
import { createUser } from '../../../testing/test-user.ts';

const utc = (text: string) => Date.parse(`${text}T12:00:00Z`);

let test: TestApp;
let site: ProviderSite;
afterEach(() => site.close());

const open = async (provider: 'paystack' | 'stripe') => {
  site = await openProviderSite(provider);
  ({ test } = site);
  const { fake } = site;
  if (!fake) throw new Error(`${provider} has no fake.`);
  const url = `/api/webhooks/${provider}`;
  const deliver = ({ headers, rawBody }: Delivery) =>
    test.app.inject({ method: 'POST', url, headers, payload: rawBody });
  return {
    fake,
    deliver,
    me: site.payer(await createUser(test)),
    /** All webhooks twice and in the wrong order. */
    deliverBadly: async () => {
      const deliveries = fake.drainWebhooks();
      for (const delivery of [...deliveries, ...deliveries].toReversed())
        expect((await deliver(delivery)).statusCode).toBe(200);
      await test.worker.runDue();
      return deliveries;
    },
  };
};

describe.each(['paystack', 'stripe'] as const)('with %s', (provider) => {
  it('unlocks every paid month, whatever the order of webhooks', async () => {
    const { me, deliver, deliverBadly } = await open(provider);
    expect(await me.buy('monthly')).toMatchObject({ state: 'paid', purchase: { amount: 79_00 } });
    expect(await me.isSubscriber()).toBe(true);
    const [first] = await deliverBadly();
    expect(await me.ledger()).toEqual(['charge', 'subscribed']);
    test.clock.advance(30 * DAY);
    await runPaymentJobs(test);
    await deliverBadly();
    expect((await me.invoices()).map(({ amount }) => amount)).toEqual([79_00, 79_00]);
    expect(await me.subscription()).toMatchObject({
      status: 'active',
      paidThrough: utc('2027-01-15'),
      plan: 'monthly',
    });
    const forged = { headers: {}, rawBody: first?.rawBody ?? Buffer.alloc(0) };
    expect((await deliver(forged)).statusCode).toBe(401);
  });

  it('charges a plan change with the next payment and nothing before', async () => {
    const { me } = await open(provider);
    await me.buy('monthly');
    expect(await me.change('annual')).toMatchObject({
      plan: 'monthly',
      nextPlan: 'annual',
      nextPayment: { at: utc('2026-12-15'), amount: 790_00, plan: 'annual' },
    });
    await site.pass(30 * DAY);
    expect(await me.subscription()).toMatchObject({
      status: 'active',
      plan: 'annual',
      nextPlan: null,
      paidThrough: utc('2027-12-15'),
    });
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([79_00, 790_00]);
  });

  it('changes nobody’s subscription while our key is refused', async () => {
    const { fake, me, deliver } = await open(provider);
    await me.buy('monthly');
    const before = await me.subscription();
    for (const fault of ['unauthorized', 'forbidden'] as const) {
      fake.setFault(fault);
      for (const delivery of fake.drainWebhooks())
        expect((await deliver(delivery)).statusCode).toBe(200);
      await test.worker.runDue();
      test.clock.advance(2 * DAY);
      await runPaymentJobs(test);
      fake.setFault(null);
    }
    expect(await me.subscription()).toEqual(before);
    expect(await me.ledger()).toEqual(['charge', 'subscribed']);
  });

  it('counts payments made during an outage once the provider is back', async () => {
    const { fake, me, deliver } = await open(provider);
    const { reference } = await me.begin('annual');
    fake.pay(reference, 'own');
    const deliveries = fake.drainWebhooks();
    fake.setFault('error');
    for (const delivery of deliveries) expect((await deliver(delivery)).statusCode).toBe(200);
    await test.worker.runDue();
    expect(await me.isSubscriber()).toBe(false);
    fake.setFault(null);
    test.clock.advance(20_000);
    await runPaymentJobs(test);
    expect(await me.subscription()).toMatchObject({ status: 'active', plan: 'annual' });
    expect(await me.charges()).toHaveLength(1);
  });
});
