import { afterEach, describe, expect, it } from 'vitest';
import { openProviderSite, type ProviderSite } from '../../../testing/paying/provider-site.ts';
import type { Delivery } from '../../../testing/payments-contract/subject.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { createUser } from '../../../testing/test-user.ts';
import { payingClient, reconcile } from '../../../testing/test-payments.ts';
import { DAY } from '#contract/rules/time.ts';

const utc = (text: string) => Date.parse(`${text}T12:00:00Z`);

let test: TestApp;
let site: ProviderSite;
afterEach(() => site.close());

const open = async (provider: 'paystack' | 'stripe') => {
  site = await openProviderSite(provider);
  ({ test } = site);
  const { fake } = site;
  if (!fake) throw new Error(`${provider} has no fake.`);
  const deliver = ({ headers, rawBody }: Delivery) =>
    test.app.inject({
      method: 'POST',
      url: `/api/webhooks/${provider}`,
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
  ['Paystack', 'paystack'],
  ['Stripe', 'stripe'],
] as const)('with %s', (name, provider) => {
  it('unlocks every paid month, whatever the order of webhooks', async () => {
    const { fake, me, deliver, deliverBadly, pass } = await open(provider);
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
    const { fake, me, deliverBadly, pass } = await open(provider);
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
    const { fake, me, deliverBadly } = await open(provider);
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

  it.each([
    ['the webhooks arrive', 'webhooks'],
    ['only the user comes back', 'return'],
    ['only the hourly check runs', 'hourly'],
  ] as const)('uses a new card and charges what is owed once, when %s', async (_how, how) => {
    const { fake, me, deliverBadly, pass } = await open(provider);
    const { reference } = await me.begin('monthly');
    fake.pay(reference);
    await me.confirm(reference);
    fake.emptyAccount(await me.providerSubscriptionId());
    await pass(30);
    await deliverBadly();
    const { status, card: oldCard } = await me.subscription();
    expect(status).toBe('late');
    test.clock.advance(60_000);
    fake.updateCard(await me.providerSubscriptionId(), 'second');
    if (how === 'webhooks') await deliverBadly();
    else fake.drainWebhooks();
    // Paystack's message about the check of a card doesn't say whose it is.
    const isUnnoticed = how === 'webhooks' && name === 'Paystack';
    if (how === 'return' || isUnnoticed) await me.call('POST', '/api/subscription/check');
    test.clock.advance(3_600_000);
    if (how === 'hourly') await reconcile(test);
    expect((await me.subscription()).card).not.toEqual(oldCard);
    // Paystack checks the new card, but charges nothing that is owed.
    if ((await me.subscription()).status === 'late') await me.call('POST', '/api/subscription/pay');
    expect(await me.subscription()).toMatchObject({ status: 'active', problem: null });
    await deliverBadly();
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([7900, 7900]);
  });

  it('charges nothing after a late subscription is cancelled, whatever arrives later', async () => {
    const { fake, me, deliver, deliverBadly, pass } = await open(provider);
    const { reference } = await me.begin('monthly');
    fake.pay(reference);
    await me.confirm(reference);
    const id = await me.providerSubscriptionId();
    fake.emptyAccount(id);
    await pass(30);
    const late = fake.drainWebhooks();
    await me.call('POST', '/api/subscription/check');
    await me.cancel();
    fake.fillAccount(id);
    await pass(10);
    // Stripe's signatures are too old by now; Paystack's are valid for ever.
    for (const delivery of late) expect([200, 401]).toContain((await deliver(delivery)).statusCode);
    await deliverBadly();
    await pass(60);
    await deliverBadly();
    await reconcile(test);
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([7900]);
    expect(await me.subscription()).toMatchObject({ status: 'ended', nextPayment: null });
  });

  it.each([
    ['all', 7900, { hasAccess: false, status: 'ended', renews: false }],
    ['a part', 2000, { hasAccess: true, status: 'cancelled', renews: false }],
  ])(
    'charges nothing more after a refund of %s that ends the subscription',
    async (_what, amount, left) => {
      const { fake, me, deliverBadly, pass } = await open(provider);
      const { reference } = await me.begin('monthly');
      fake.pay(reference);
      await me.confirm(reference);
      const [invoice] = await me.invoices();
      const admin = await createAdmin(test);
      const { id } = await me.call<{ id: string }>('GET', '/api/auth/me');
      const refunded = await admin.client.request({
        method: 'POST',
        url: `/api/admin/subscribers/${id}/refund`,
        payload: {
          invoiceId: invoice?.id,
          amount,
          endsSubscription: true,
          because: 'Asked for it.',
        },
      });
      expect([refunded.statusCode, refunded.body]).toEqual([200, expect.anything()]);
      await deliverBadly();
      expect(await me.subscription()).toMatchObject(left);
      await pass(70);
      await deliverBadly();
      await reconcile(test);
      expect(await me.charges()).toHaveLength(1);
      expect(await me.invoices()).toMatchObject([{ refunded: amount }]);
    },
  );

  it('changes nobody’s subscription while our key is refused', async () => {
    const { fake, me, deliver } = await open(provider);
    const { reference } = await me.begin('monthly');
    fake.pay(reference);
    await me.confirm(reference);
    const before = await me.subscription();
    for (const fault of ['unauthorized', 'forbidden'] as const) {
      fake.setFault(fault);
      for (const delivery of fake.drainWebhooks())
        expect((await deliver(delivery)).statusCode).toBe(200);
      await test.worker.runDue();
      test.clock.advance(2 * DAY);
      await reconcile(test);
      fake.setFault(null);
    }
    expect(await me.subscription()).toEqual(before);
    expect(await me.ledger()).toEqual(['charge', 'subscribed']);
  });

  it('counts payments made during an outage once the provider is back', async () => {
    const { fake, me, deliver } = await open(provider);
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
