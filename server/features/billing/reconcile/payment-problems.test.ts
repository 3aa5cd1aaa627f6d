/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import { failure, type Charge } from '../../../ports/payments/payments.ts';
import { findFullScans, recordPlan } from '../../../testing/explain.ts';
import { createCoupons } from '../../../testing/paying/users.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { deliver, deliverAll, payingClient, reconcile } from '../../../testing/test-payments.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';
import { listOpenIssues, readIssues } from '../../payment-issues/service.ts';
import { listAccountsDueForCheck } from './due-checks.ts';
import { describeOnSqlite, itOnSqlite } from '../../../testing/on-sqlite.ts';

let test: TestApp;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
let sent: MailMessage[];
beforeEach(async () => {
  sent = [];
  const mail = {
    send: async (message: MailMessage) => void sent.push(message),
    close: () => undefined,
  };
  test = await createTestApp({ mail });
  member = await createUser(test);
  me = payingClient(test, member);
});
afterEach(() => test.close());

const listIssues = () => listOpenIssues(test.deps.database.db);
const listClosed = async () => (await readIssues(test.deps, { state: 'closed' })).items;
const pass = async (ms: number) => {
  test.clock.advance(ms);
  await test.sandbox.renewDue();
};
/** The hourly job, again and again, without any webhook event. */
const checkFor = async (hours: number) => {
  for (let hour = 0; hour < hours; hour += 1) {
    await pass(HOUR);
    await reconcile(test);
  }
};
const listMails = () => sent.filter(({ to }) => to === member.user.email).map(({ text }) => text);
const readCharges = async (): Promise<readonly Charge[]> =>
  (await test.deps.payments.getProviderSubscription(await me.providerSubscriptionId())).charges;
const leave = async () => {
  const payload = { password: PASSWORD, confirmation: 'delete' };
  const left = await member.client.request({ method: 'DELETE', url: '/api/me', payload });
  expect(left.statusCode).toBe(204);
  await test.worker.runDue();
};

describeOnSqlite('a renewal at another amount', () => {
  const renewAt = async (amount: number) => {
    await me.buy('monthly');
    await test.sandbox.editAmount(await me.providerSubscriptionId(), amount);
    await pass(30 * DAY);
  };

  it('that is higher counts, and the difference goes back with a mail and an issue', async () => {
    await renewAt(99_00);
    await deliverAll(test);
    await checkFor(2);
    expect((await readCharges()).map(({ amount, refunded }) => [amount, refunded])).toEqual([
      [79_00, 0],
      [99_00, 20_00],
    ]);
    expect((await me.subscription()).paidThrough).toBe(Date.parse('2027-01-15T12:00:00Z'));
    expect(await me.ledger()).toEqual(['charge', 'subscribed', 'charge', 'refund']);
    expect(await listIssues()).toMatchObject([
      {
        kind: 'other-amount',
        user: { id: member.user.id },
        amount: 99_00,
        because: 'R99 paid for the monthly plan instead of R79; R20 is refunded.',
      },
    ]);
    const mails = listMails().filter((text) => text.includes('instead of'));
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('We charged you R99 instead of R79; we’ve refunded R20.');
  });

  it('that is lower counts as it is, and administrators know', async () => {
    await renewAt(59_00);
    await deliverAll(test);
    await checkFor(2);
    expect((await readCharges()).at(-1)).toMatchObject({ amount: 59_00, refunded: 0 });
    expect((await me.subscription()).paidThrough).toBe(Date.parse('2027-01-15T12:00:00Z'));
    expect(await listIssues()).toMatchObject([{ kind: 'other-amount', amount: 59_00 }]);
    const mails = listMails().filter((text) => text.includes('instead of'));
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('We charged you R59 instead of R79.');
    expect(mails[0]).toContain('you don’t owe us the difference');
  });

  it('of nothing counts too, with a mail and an issue', async () => {
    await me.buy('monthly');
    await pass(30 * DAY);
    const { listProviderSubscriptions: list } = test.deps.payments;
    Object.assign(test.deps.payments, {
      listProviderSubscriptions: async (id: string) =>
        (await list(id)).map(({ charges, ...state }) => ({
          ...state,
          charges: charges.map((charge) =>
            charge.reference === null ? { ...charge, amount: 0 } : charge,
          ),
        })),
    });
    await checkFor(2);
    expect((await me.subscription()).paidThrough).toBe(Date.parse('2027-01-15T12:00:00Z'));
    expect(await listIssues()).toMatchObject([{ kind: 'other-amount', amount: 0 }]);
    expect(listMails().filter((text) => text.includes('R0 instead of R79'))).toHaveLength(1);
  });

  it('is refunded once, however often, late or reversed the events arrive', async () => {
    await renewAt(99_00);
    const webhooks = await test.sandbox.drainWebhooks();
    for (const webhook of [...webhooks.toReversed(), ...webhooks]) await deliver(test, webhook);
    await test.worker.runDue();
    await deliverAll(test);
    await checkFor(3);
    expect((await readCharges()).at(-1)).toMatchObject({ refunded: 20_00 });
    expect(await listIssues()).toHaveLength(1);
  });

  it('keeps nothing above the agreed price after an administrator refunded a part', async () => {
    await renewAt(99_00);
    const [, renewal] = await readCharges();
    await test.deps.payments.refund({ chargeId: renewal?.id ?? '', amount: 5_00, key: 'part' });
    await deliverAll(test);
    await checkFor(2);
    expect((await readCharges()).at(-1)).toMatchObject({ refunded: 20_00 });
  });

  it.each([
    ['in another currency', { currency: 'USD' }],
    ['for something that isn’t one of our plans', { plan: null }],
    ['for a plan that the member never chose', { plan: 'annual' as const, amount: 790_00 }],
  ])('%s goes back in full with a mail and an issue', async (_what, change) => {
    await me.buy('monthly');
    await pass(31 * DAY);
    const { payments } = test.deps;
    const { listProviderSubscriptions: list } = payments;
    const refunded = new Map<string, number>();
    Object.assign(payments, {
      listProviderSubscriptions: async (id: string) =>
        (await list(id)).map(({ charges, ...state }) => ({
          ...state,
          charges: charges.map((charge) =>
            charge.reference === null
              ? { ...charge, ...change, refunded: refunded.get(charge.id) ?? 0 }
              : charge,
          ),
        })),
      refund: async ({ chargeId, amount }: { chargeId: string; amount: number }) =>
        void refunded.set(chargeId, (refunded.get(chargeId) ?? 0) + amount),
    });
    await checkFor(3);
    const amount = 'amount' in change ? change.amount : 79_00;
    expect([...refunded.values()]).toEqual([amount]);
    expect(await me.ledger()).toEqual(['charge', 'subscribed', 'charge-refused', 'refund']);
    expect(await listIssues()).toMatchObject([{ kind: 'other-amount', amount }]);
    expect(listMails().filter((text) => text.includes('refunding it in full'))).toHaveLength(1);
  });
});

describe('a payment without a subscription', () => {
  const payWith = async (card: 'late-subscription' | 'one-payment') => {
    const { result, reference } = await me.buy('monthly', { card });
    expect(result.state).toBe('paid');
    return reference;
  };
  const findState = async (reference: string) => {
    const row = await test.deps.database.db
      .selectFrom('checkouts')
      .select(['state', 'check_at'])
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow();
    return [row.state, row.check_at === null ? 'settled' : 'watched'];
  };

  const listUses = () =>
    test.deps.database.db
      .selectFrom('coupons')
      .select(['uses', 'max_uses'])
      .where('code', '=', 'HALF')
      .execute();

  it('counts at once, is an issue after an hour, and the issue closes with the subscription', async () => {
    const reference = await payWith('late-subscription');
    expect(await me.isSubscriber()).toBe(true);
    expect(await me.charges()).toHaveLength(1);
    expect(await listIssues()).toEqual([]);
    await checkFor(2);
    expect(await listIssues()).toMatchObject([
      { kind: 'payment-without-subscription', reference, amount: 79_00 },
    ]);
    expect(await findState(reference)).toEqual(['paid', 'watched']);
    await test.sandbox.finish(reference);
    await checkFor(2);
    expect(await listIssues()).toEqual([]);
    expect(await listClosed()).toMatchObject([{ note: 'The subscription was found.' }]);
    expect(await findState(reference)).toEqual(['paid', 'settled']);
    expect(await me.subscription()).toMatchObject({ status: 'active' });
    await pass(31 * DAY);
    await deliverAll(test);
    await checkFor(1);
    expect(await me.charges()).toHaveLength(2);
    expect(await me.ledger()).not.toContain('duplicate');
  });

  it('gets its subscription from us after a day', async () => {
    const reference = await payWith('late-subscription');
    await checkFor(23);
    expect(await findState(reference)).toEqual(['paid', 'watched']);
    await checkFor(3);
    expect(await findState(reference)).toEqual(['paid', 'settled']);
    const { status, nextPayment } = await me.subscription();
    expect([status, nextPayment?.at]).toEqual(['active', Date.parse('2026-12-15T12:00:00Z')]);
    expect(await listIssues()).toEqual([]);
  });

  itOnSqlite('goes back in full after a day if the card can’t be charged again', async () => {
    const reference = await payWith('one-payment');
    await deliverAll(test);
    await checkFor(26);
    expect(await findState(reference)).toEqual(['refused', 'settled']);
    expect(await me.isSubscriber()).toBe(false);
    const { charge } = await test.deps.payments.getCheckout(reference);
    expect(charge).toMatchObject({ amount: 79_00, refunded: 79_00 });
    expect(await listIssues()).toEqual([]);
    expect(await listClosed()).toMatchObject([{ kind: 'payment-without-subscription' }]);
    expect(listMails().filter((text) => text.includes('charge this card again'))).toHaveLength(1);
    await me.buy('monthly');
    expect(await me.subscription()).toMatchObject({ status: 'active' });
  });

  it('is said to be set up, and refuses a second purchase meanwhile', async () => {
    const reference = await payWith('late-subscription');
    expect(await me.subscription()).toMatchObject({ status: 'starting', hasAccess: true });
    const buy = () =>
      member.client.request({
        method: 'POST',
        url: '/api/checkout',
        payload: { plan: 'monthly' },
      });
    const quote = await member.client.request({ url: '/api/checkout/quote?plan=annual' });
    for (const refused of [await buy(), quote]) {
      expect([refused.statusCode, refused.json()]).toEqual([
        409,
        expect.objectContaining({
          code: 'subscription_starting',
          message:
            'Your payment arrived, and your subscription is being set up. You don’t need to pay again.',
        }),
      ]);
    }
    await test.sandbox.finish(reference);
    await checkFor(2);
    expect(await me.subscription()).toMatchObject({ status: 'active', renews: true });
    expect((await buy()).json()).toMatchObject({ code: 'already_subscribed' });
  });

  itOnSqlite('gives the use of its coupon back when it is paid back', async () => {
    const { db } = test.deps.database;
    await createCoupons(test);
    await db.updateTable('coupons').set({ max_uses: 1 }).where('code', '=', 'HALF').execute();
    const { reference } = await me.buy('monthly', { card: 'one-payment', coupon: 'HALF' });
    expect(await listUses()).toEqual([{ uses: 1, max_uses: 1 }]);
    await checkFor(26);
    expect(await findState(reference)).toEqual(['refused', 'settled']);
    expect(await listUses()).toEqual([{ uses: 0, max_uses: 1 }]);
    await me.buy('monthly', { coupon: 'HALF' });
    await checkFor(2);
    expect(await me.subscription()).toMatchObject({ status: 'active' });
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([39_50, 39_50]);
    expect(await listUses()).toEqual([{ uses: 1, max_uses: 1 }]);
  });

  it('waits while the provider is down, and is refunded once', async () => {
    const reference = await payWith('one-payment');
    const { payments } = test.deps;
    const { finishCheckout } = payments;
    Object.assign(payments, { finishCheckout: () => Promise.reject(failure('down')) });
    await checkFor(30);
    expect(await findState(reference)).toEqual(['paid', 'watched']);
    expect(await me.isSubscriber()).toBe(true);
    Object.assign(payments, { finishCheckout });
    await checkFor(3);
    const { charge } = await payments.getCheckout(reference);
    expect(charge).toMatchObject({ refunded: 79_00 });
  });

  itOnSqlite('cancels a subscription that comes after the refund', async () => {
    const reference = await payWith('late-subscription');
    const { payments } = test.deps;
    const { finishCheckout } = payments;
    Object.assign(payments, { finishCheckout: async () => ({ providerSubscriptionId: null }) });
    await checkFor(26);
    expect(await me.isSubscriber()).toBe(false);
    Object.assign(payments, { finishCheckout });
    await test.sandbox.finish(reference);
    await deliverAll(test);
    const { customerId, providerSubscriptionId } = await payments.getCheckout(reference);
    const subject = { reference: null, customerId, providerSubscriptionId };
    const { storeWebhookEvent } = await import('../webhooks/webhook-events.ts');
    await storeWebhookEvent(
      test.deps,
      { eventId: 'late', kind: 'x', subjects: [{ ...subject, chargeId: null, plan: 'monthly' }] },
      Buffer.from('{}'),
    );
    await test.worker.runDue();
    await checkFor(1);
    const state = await payments.getProviderSubscription(providerSubscriptionId ?? '');
    expect(state.providerSubscription.status).toBe('ending');
    expect(await me.isSubscriber()).toBe(false);
  });

  itOnSqlite('doesn’t charge a deleted account when its subscription comes late', async () => {
    const reference = await payWith('late-subscription');
    await checkFor(2);
    await leave();
    await test.sandbox.finish(reference);
    await checkFor(2);
    const { providerSubscriptionId } = await test.deps.payments.getCheckout(reference);
    const { providerSubscription } = await test.deps.payments.getProviderSubscription(
      providerSubscriptionId ?? '',
    );
    expect(providerSubscription.status).toBe('ending');
    expect(await findState(reference)).toEqual(['paid', 'settled']);
    expect(await listIssues()).toEqual([]);
  });

  it('is found by an index, however many checkouts there were', async () => {
    await payWith('late-subscription');
    const { database } = test.deps;
    const steps = await recordPlan(database, async () => {
      for await (const _ of listAccountsDueForCheck(database.db, test.clock.now() + DAY));
    });
    expect(findFullScans(steps, 'checkouts', 'provider_subscriptions')).toEqual([]);
  });
});

describe('a dispute', () => {
  const open = async () => {
    await createAdmin(test);
    await me.buy('monthly');
    await test.worker.runDue();
    const [charge] = await me.charges();
    await test.sandbox.dispute(charge?.id ?? '');
    return charge?.id ?? '';
  };

  itOnSqlite('is an issue with its deadline until it is won', async () => {
    const id = await open();
    await deliverAll(test);
    expect(await listIssues()).toMatchObject([
      { kind: 'dispute', chargeId: id, amount: 79_00, dueAt: test.clock.now() + 2 * DAY },
    ]);
    expect(await me.isSubscriber()).toBe(false);
    await test.sandbox.endDispute(id, 'won');
    await deliverAll(test);
    expect(await listIssues()).toEqual([]);
    expect(await listClosed()).toMatchObject([{ kind: 'dispute', note: 'Won.' }]);
    expect(await me.isSubscriber()).toBe(true);
    expect((await me.subscription()).nextPayment).not.toBeNull();
  });

  itOnSqlite('lost by silence is recorded, and cancels the subscription', async () => {
    const id = await open();
    await deliverAll(test);
    await pass(2 * DAY + HOUR);
    await deliverAll(test);
    await checkFor(1);
    expect(await listIssues()).toEqual([]);
    expect(await listClosed()).toMatchObject([{ kind: 'dispute', chargeId: id, note: 'Lost.' }]);
    expect(await me.ledger()).toEqual([
      'charge',
      'subscribed',
      'dispute',
      'dispute-lost',
      'cancelled',
    ]);
    const { providerSubscription } = await test.deps.payments.getProviderSubscription(
      await me.providerSubscriptionId(),
    );
    expect(providerSubscription.status).toBe('ending');
    expect((await readCharges())[0]).toMatchObject({ refunded: 0 });
  });

  itOnSqlite('is the same whether the events come late, twice, reversed or never', async () => {
    await open();
    await pass(2 * DAY + HOUR);
    const webhooks = await test.sandbox.drainWebhooks();
    for (const webhook of [...webhooks.toReversed(), ...webhooks]) await deliver(test, webhook);
    await test.worker.runDue();
    await checkFor(2);
    expect((await me.ledger()).filter((kind) => kind.startsWith('dispute'))).toEqual([
      'dispute',
      'dispute-lost',
    ]);
    expect(await listIssues()).toEqual([]);
  });

  itOnSqlite(
    'that was lost doesn’t end a subscription that the member resumes or starts later',
    async () => {
      await open();
      await pass(2 * DAY + HOUR);
      await deliverAll(test);
      await checkFor(2);
      await pass(31 * DAY);
      await deliverAll(test);
      await me.buy('monthly');
      await checkFor(3);
      expect(await me.subscription()).toMatchObject({ status: 'active', hasAccess: true });
    },
  );

  it('of a deleted account still reaches the administrators', async () => {
    const id = await open();
    const webhooks = await test.sandbox.drainWebhooks();
    await leave();
    for (const webhook of webhooks) expect((await deliver(test, webhook)).statusCode).toBe(200);
    await test.worker.runDue();
    expect(await listIssues()).toMatchObject([{ kind: 'dispute', user: null, chargeId: id }]);
    await test.sandbox.endDispute(id, 'won');
    await deliverAll(test);
    expect(await listIssues()).toEqual([]);
    const dead = test.deps.database.db.selectFrom('jobs').selectAll().where('state', '=', 'dead');
    expect(await dead.execute()).toEqual([]);
  });
});
