import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliverAll, payingClient, runPaymentJobs } from '../../../testing/test-payments.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser, type TestUser } from '../../../testing/test-user.ts';
import { DAY } from '#contract/rules/time.ts';

let test: TestApp;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
beforeEach(async () => {
  test = await createTestApp();
  member = await createUser(test);
  me = payingClient(test, member);
});
afterEach(() => test.close());

const utc = (text: string) => Date.parse(`${text}T12:00:00Z`);

describe('a checkout', () => {
  it('unlocks Premium when the user returns, and reports the purchase once', async () => {
    const { reference, result } = await me.buy('monthly');
    expect(result).toMatchObject({
      state: 'paid',
      purchase: { plan: 'monthly', amount: 79_00, currency: 'ZAR', paymentMethod: 'card' },
    });
    expect(await me.isSubscriber()).toBe(true);
    expect(await me.confirm(reference)).toMatchObject({ state: 'paid', purchase: null });
    expect(await me.subscription()).toMatchObject({
      status: 'active',
      hasAccess: true,
      plan: 'monthly',
      paidThrough: utc('2026-12-15'),
      accessUntil: utc('2026-12-18'),
      nextPayment: { at: utc('2026-12-15'), amount: 79_00, plan: 'monthly' },
      card: { last4: '4242' },
      problem: null,
      pending: null,
      canResume: false,
    });
    // Later webhooks change nothing.
    expect(await deliverAll(test)).toBe(1);
    expect(await me.ledger()).toEqual(['charge', 'subscribed']);
    expect(await me.invoices()).toMatchObject([
      {
        number: '000001',
        plan: 'monthly',
        amount: 79_00,
        refunded: 0,
        from: utc('2026-11-15'),
        to: utc('2026-12-15'),
        status: 'paid',
        card: { last4: '4242' },
      },
    ]);
  });

  it('unlocks Premium by the webhook alone if the user closed the page', async () => {
    const { checkoutId } = await me.begin('annual');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    expect(await me.isSubscriber()).toBe(false);
    const { db } = test.deps.database;
    await db.deleteFrom('signals').execute();
    await deliverAll(test);
    expect(await me.subscription()).toMatchObject({
      status: 'active',
      plan: 'annual',
      paidThrough: utc('2027-11-15'),
    });
    // The user's open pages are told to reload.
    const signals = await db.selectFrom('signals').select('topic').execute();
    expect(signals).toContainEqual({ topic: `user:${member.user.id}` });
  });

  it('unlocks Premium without any webhook: open pages are read every few minutes', async () => {
    const { checkoutId } = await me.begin('monthly');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    await test.sandbox.drainWebhooks();
    await runPaymentJobs(test);
    expect(await me.isSubscriber()).toBe(true);
  });

  it('unlocks nothing with a declined card, and lets the user try another card', async () => {
    const { checkoutId, reference } = await me.begin('monthly');
    await test.sandbox.pay(checkoutId, { card: 'insufficient-funds' });
    expect(await me.confirm(reference)).toMatchObject({ purchase: null });
    expect(await me.isSubscriber()).toBe(false);
    await test.sandbox.pay(checkoutId, { card: 'success' });
    expect((await me.confirm(reference)).state).toBe('paid');
    expect(await me.isSubscriber()).toBe(true);
  });
});

describe('a subscription', () => {
  it('renews every month, each time with the next invoice number', async () => {
    await me.buy('monthly');
    for (let month = 0; month < 3; month += 1) {
      test.clock.advance(31 * DAY);
      await runPaymentJobs(test);
      expect(await me.isSubscriber()).toBe(true);
    }
    expect((await me.subscription()).paidThrough).toBe(utc('2027-03-15'));
    const numbers = (await me.invoices()).map(({ number }) => number);
    expect(numbers).toEqual(['000004', '000003', '000002', '000001']);
  });

  it('keeps its access to the end of the period when cancelled, and can be resumed until then', async () => {
    await me.buy('monthly');
    expect(await me.cancel()).toMatchObject({
      status: 'cancelled',
      hasAccess: true,
      canResume: true,
      nextPayment: null,
    });
    expect(await me.resume()).toMatchObject({ status: 'active', canResume: false });
    await me.cancel();
    test.clock.advance(31 * DAY);
    await runPaymentJobs(test);
    expect(await me.subscription()).toMatchObject({ status: 'cancelled', hasAccess: true });
    expect(await me.charges()).toHaveLength(1);
    test.clock.advance(3 * DAY);
    expect(await me.subscription()).toMatchObject({ status: 'ended', hasAccess: false });
    expect(await me.isSubscriber()).toBe(false);
  });

  it('changes its plan from the next payment and charges nothing before', async () => {
    await me.buy('monthly');
    expect(await me.change('annual')).toMatchObject({
      plan: 'monthly',
      nextPlan: 'annual',
      nextPayment: { at: utc('2026-12-15'), amount: 790_00, plan: 'annual' },
    });
    expect(await me.charges()).toHaveLength(1);
    test.clock.advance(30 * DAY);
    await runPaymentJobs(test);
    expect(await me.subscription()).toMatchObject({
      plan: 'annual',
      nextPlan: null,
      paidThrough: utc('2027-12-15'),
    });
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([79_00, 790_00]);
  });

  it('shows a failed payment, continues for the grace period, then ends', async () => {
    await me.buy('monthly', { card: 'pays-once' });
    test.clock.advance(30 * DAY);
    await runPaymentJobs(test);
    expect(await me.subscription()).toMatchObject({
      status: 'late',
      hasAccess: true,
      problem: { since: utc('2026-12-15'), message: expect.stringContaining('insufficient funds') },
    });
    test.clock.advance(3 * DAY - 1);
    expect(await me.isSubscriber()).toBe(true);
    test.clock.advance(1);
    expect(await me.isSubscriber()).toBe(false);
  });

  it('loses nothing when what is owed is paid in time, with another card that is kept', async () => {
    await me.buy('monthly', { card: 'pays-once' });
    test.clock.advance(30 * DAY);
    await runPaymentJobs(test);
    test.clock.advance(2 * DAY);
    const { url } = await me.call<{ url: string }>('POST', '/api/subscription/pay');
    await test.sandbox.pay(url.split('/').at(-1) ?? '', { card: 'success' });
    await deliverAll(test);
    expect(await me.subscription()).toMatchObject({
      status: 'active',
      problem: null,
      card: { last4: '4242' },
      paidThrough: utc('2027-01-15'),
    });
    expect(await me.charges()).toHaveLength(2);
    expect(await me.ledger()).not.toContain('card-check');
  });

  it('checks another card on a page, and gives back what that costs', async () => {
    await me.buy('monthly', { card: 'pays-once' });
    const { url } = await me.call<{ url: string }>('POST', '/api/subscription/card');
    await test.sandbox.pay(url.split('/').at(-1) ?? '', { card: 'success' });
    await deliverAll(test);
    await runPaymentJobs(test);
    expect(await me.subscription()).toMatchObject({ status: 'active', card: { last4: '4242' } });
    expect(await me.ledger()).toEqual(['charge', 'subscribed', 'card-check', 'refund']);
    expect(await me.charges()).toHaveLength(1);
  });

  it('has nothing to pay while no payment is owed', async () => {
    await me.buy('monthly');
    const response = await member.client.request({
      method: 'POST',
      url: '/api/subscription/pay',
    });
    expect(response.json()).toMatchObject({ code: 'nothing_owed' });
  });
});

describe('a refund', () => {
  it('removes its own period and no other', async () => {
    await me.buy('monthly');
    test.clock.advance(30 * DAY);
    await runPaymentJobs(test);
    test.clock.advance(5 * DAY);
    const [, second] = await me.charges();
    const { id, amount } = second!;
    const { payments } = test.deps;
    await payments.refund({ chargeId: id, amount: 20_00, key: 'part' });
    await deliverAll(test);
    expect(await me.isSubscriber()).toBe(true);
    expect((await me.invoices())[0]).toMatchObject({ refunded: 20_00, status: 'partly-refunded' });
    await payments.refund({ chargeId: id, amount: amount - 20_00, key: 'rest' });
    await deliverAll(test);
    expect(await me.isSubscriber()).toBe(false);
    expect((await me.subscription()).paidThrough).toBe(utc('2026-12-15'));
    expect((await me.invoices())[0]).toMatchObject({ refunded: 79_00, status: 'refunded' });
  });

  it('removes the period of a disputed payment until the dispute is won', async () => {
    await me.buy('annual');
    const [charge] = await me.charges();
    await test.sandbox.dispute(charge!.id);
    await deliverAll(test);
    expect(await me.subscription()).toMatchObject({ hasAccess: false, paidThrough: null });
    expect((await me.invoices())[0]?.status).toBe('disputed');
    await test.sandbox.endDispute(charge!.id);
    await deliverAll(test);
    expect((await me.subscription()).paidThrough).toBe(utc('2027-11-15'));
    expect((await me.invoices())[0]?.status).toBe('paid');
  });

  it('removes the period of the plan it paid for, also after a plan change', async () => {
    await me.buy('monthly');
    await me.change('annual');
    test.clock.advance(30 * DAY);
    await runPaymentJobs(test);
    const [first] = await me.charges();
    await test.deps.payments.refund({ chargeId: first!.id, amount: 79_00, key: 'r' });
    await deliverAll(test);
    // The year was paid on 15 December and counts from there.
    expect((await me.subscription()).paidThrough).toBe(utc('2027-12-15'));
  });
});
