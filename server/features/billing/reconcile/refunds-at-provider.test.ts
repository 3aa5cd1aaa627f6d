import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Invoice } from '#contract/billing.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import { startFakePaystack } from '../../../testing/fake-paystack.ts';
import { connectPaystack, connectStripe } from '../../../testing/fake-providers.ts';
import { startFakeStripe } from '../../../testing/fake-stripe.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { deliver, deliverAll, payingClient, reconcile } from '../../../testing/test-payments.ts';
import { createUser, type TestUser } from '../../../testing/test-user.ts';
import { listOpenIssues } from '../../payment-issues/service.ts';
import { refundCharge } from '../ledger/refund-charge.ts';

let test: TestApp;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
let sent: MailMessage[];
const mail = {
  send: async (message: MailMessage) => void sent.push(message),
  close: () => undefined,
};
beforeEach(() => {
  sent = [];
});

const listIssues = async () =>
  (await listOpenIssues(test.deps.database.db)).map(({ kind, amount, user }) => [
    kind,
    amount,
    user?.id,
  ]);
const listRefundMails = () => sent.filter(({ subject }) => subject.startsWith('Your refund'));
/** In the provider's dashboard: the site has not asked for it. */
const refundAtProvider = async (amount: number, key = 'dashboard') => {
  const [charge] = await me.charges();
  await test.deps.payments.refund({ chargeId: charge?.id ?? '', amount, key });
};
const findStatus = async () => {
  const id = await me.providerSubscriptionId();
  return (await test.deps.payments.getProviderSubscription(id)).providerSubscription.status;
};

describe('a refund made at the provider', () => {
  beforeEach(async () => {
    test = await createTestApp({ mail });
    member = await createUser(test);
    me = payingClient(test, member);
  });
  afterEach(() => test.close());

  /** The hourly job, without any webhook event. */
  const checkFor = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      test.clock.advance(HOUR);
      await reconcile(test);
    }
  };

  it('in full cancels the subscription once, however often, late or reversed the events arrive', async () => {
    await me.buy('monthly');
    await deliverAll(test);
    await refundAtProvider(79_00);
    const webhooks = await test.sandbox.drainWebhooks();
    for (const webhook of [...webhooks.toReversed(), ...webhooks]) await deliver(test, webhook);
    await test.worker.runDue();
    await deliverAll(test);
    await checkFor(3);
    expect(await me.ledger()).toEqual(['charge', 'subscribed', 'refund', 'cancelled']);
    expect(await findStatus()).toBe('ending');
    expect(await listIssues()).toEqual([['refund-at-provider', 79_00, member.user.id]]);
    expect(listRefundMails()).toHaveLength(1);
    expect(await me.subscription()).toMatchObject({ hasAccess: false, renews: false });
    test.clock.advance(40 * DAY);
    await test.sandbox.renewDue();
    await deliverAll(test);
    expect(await me.charges()).toHaveLength(1);
  });

  it('is found without any event, also before its payment is recorded', async () => {
    const { checkoutId } = await me.begin('monthly');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    const { id } = await test.deps.database.db
      .selectFrom('sandbox_charges')
      .select('id')
      .executeTakeFirstOrThrow();
    await test.deps.payments.refund({ chargeId: id, amount: 79_00, key: 'dashboard' });
    await checkFor(2);
    expect(await findStatus()).toBe('ending');
    expect(await me.ledger()).toEqual(['charge', 'refund', 'subscribed', 'cancelled']);
    expect(await listIssues()).toHaveLength(1);
  });

  it('in part ends nothing, until the rest goes back', async () => {
    await me.buy('monthly');
    await refundAtProvider(20_00);
    await deliverAll(test);
    await checkFor(1);
    expect(await me.subscription()).toMatchObject({ status: 'active', renews: true });
    expect(await listIssues()).toEqual([]);
    await refundAtProvider(59_00, 'rest');
    await deliverAll(test);
    expect(await findStatus()).toBe('ending');
    expect(await listIssues()).toHaveLength(1);
  });

  it('is told from one made here that keeps the subscription', async () => {
    const admin = await createAdmin(test);
    await me.buy('monthly');
    const base = `/api/admin/subscribers/${member.user.id}`;
    const { items } = (await admin.client.request({ url: `${base}/invoices` })).json<{
      items: Invoice[];
    }>();
    const payload = {
      because: 'As agreed.',
      invoiceId: items[0]?.id,
      amount: 79_00,
      endsSubscription: false,
    };
    const made = await admin.client.request({ method: 'POST', url: `${base}/refund`, payload });
    expect(made.statusCode).toBe(200);
    await deliverAll(test);
    await checkFor(25);
    expect(await me.subscription()).toMatchObject({ hasAccess: false, renews: true });
    expect(await me.ledger()).toEqual(['charge', 'subscribed', 'refund']);
    expect(await listIssues()).toEqual([]);
  });

  it('doesn’t end a subscription that the member starts later', async () => {
    await me.buy('monthly');
    await refundAtProvider(79_00);
    await deliverAll(test);
    await me.buy('monthly');
    await checkFor(26);
    expect(await me.subscription()).toMatchObject({ status: 'active', renews: true });
  });

  it('of a payment without a subscription lets no subscription start', async () => {
    const { reference } = await me.buy('monthly', { card: 'late-subscription' });
    await refundAtProvider(79_00);
    await test.sandbox.finish(reference);
    await deliverAll(test);
    await checkFor(2);
    expect(await findStatus()).toBe('ending');
    expect(await me.subscription()).toMatchObject({ hasAccess: false, renews: false });
  });

  it('of a payment that waits for its subscription settles it, and lets the member buy again', async () => {
    const { reference } = await me.buy('monthly', { card: 'late-subscription' });
    await refundAtProvider(79_00);
    await deliverAll(test);
    await me.begin('monthly');
    await checkFor(27);
    const checkout = await test.deps.payments.getCheckout(reference);
    expect(checkout.providerSubscriptionId).toBeNull();
    expect(listRefundMails()).toHaveLength(1);
    expect(sent.filter(({ text }) => text.includes('charge this card again'))).toEqual([]);
    const kinds = (await listIssues()).map(([kind]) => kind);
    expect(kinds).toEqual(['refund-at-provider']);
  });
});

const clock = { now: () => test.clock.now() };

it.each([
  [
    'Paystack',
    async () => {
      const fake = await startFakePaystack(clock);
      return { fake, payments: connectPaystack(fake, clock) };
    },
  ],
  [
    'Stripe',
    async () => {
      const fake = await startFakeStripe(clock);
      return { fake, payments: connectStripe(fake, clock) };
    },
  ],
] as const)(
  'a full refund in the dashboard of %s cancels the subscription, a part doesn’t',
  async (_name, start) => {
    const { fake, payments } = await start();
    test = await createTestApp({ payments, mail });
    try {
      member = await createUser(test);
      me = payingClient(test, member);
      const { reference } = await me.begin('monthly');
      fake.pay(reference);
      await me.confirm(reference);
      /** Twice and in the wrong order. */
      const deliverBadly = async () => {
        const deliveries = fake.drainWebhooks();
        for (const { headers, rawBody } of [...deliveries, ...deliveries].toReversed()) {
          const url = `/api/webhooks/${payments.name}`;
          await test.app.inject({ method: 'POST', url, headers, payload: rawBody });
        }
        await test.worker.runDue();
      };
      await refundAtProvider(20_00, 'part');
      await deliverBadly();
      expect(await me.subscription()).toMatchObject({ status: 'active', renews: true });
      await refundAtProvider(59_00, 'rest');
      await deliverBadly();
      expect(await me.subscription()).toMatchObject({ hasAccess: false, renews: false });
      expect(await listIssues()).toEqual([['refund-at-provider', 79_00, member.user.id]]);
      expect(listRefundMails()).toHaveLength(2);
      test.clock.advance(40 * DAY);
      fake.passTo(test.clock.now());
      await reconcile(test);
      expect(await me.charges()).toHaveLength(1);
    } finally {
      await test.close();
      await fake.close();
    }
  },
);

it('two processes that ask for the same refund at once make it once', async () => {
  const fake = await startFakePaystack(clock);
  test = await createTestApp({ payments: connectPaystack(fake, clock), mail });
  try {
    member = await createUser(test);
    me = payingClient(test, member);
    const { reference } = await me.begin('monthly');
    fake.pay(reference);
    await me.confirm(reference);
    const [charge] = await me.charges();
    const request = { chargeId: charge?.id ?? '', amount: 20_00, key: 'once' };
    const { payments } = test.deps;
    const { refund } = payments;
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    let asks = 0;
    payments.refund = async (wanted) => {
      asks += 1;
      asked.resolve();
      await answer.promise;
      return refund(wanted);
    };
    const first = refundCharge(test.deps, request);
    await asked.promise;
    for (const _ of [1, 2])
      await expect(refundCharge(test.deps, request)).rejects.toThrow('under way');
    answer.resolve();
    await first;
    expect(asks).toBe(1);
    await refundCharge(test.deps, request);
    const { charges } = await test.deps.payments.getProviderSubscription(
      await me.providerSubscriptionId(),
    );
    expect(charges[0]).toMatchObject({ refunded: 20_00 });
  } finally {
    await test.close();
    await fake.close();
  }
});
