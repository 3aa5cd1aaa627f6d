import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Invoice } from '#contract/paying/invoices.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { Subscriber, SubscriberPage } from '#contract/admin/subscribers.ts';
import { failure } from '../../ports/payments/payments.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';
import { payingClient } from '../../testing/test-payments.ts';
import { DAY } from '#contract/rules/time.ts';

let test: TestApp;
let admin: TestUser;
let member: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  admin = await createAdmin(test);
  member = await createUser(test);
});
afterEach(() => test.close());

const post = (path: string, payload: object) =>
  admin.client.request({
    method: 'POST',
    url: `/api/admin/${path.replace(':id', member.user.id)}`,
    payload: { reason: 'As agreed.', ...payload },
  });
const listInvoices = async (): Promise<Invoice[]> => {
  const url = `/api/admin/subscribers/${member.user.id}/invoices`;
  return (await admin.client.request({ url })).json<{ items: Invoice[] }>().items;
};
/** As the member's page and the list of members say it. */
async function readPaying(): Promise<Subscriber> {
  const url = `/api/admin/subscribers/${member.user.id}`;
  const { subscriber } = (await admin.client.request({ url })).json<SubscriberPage>();
  const list = await admin.client.request({ url: '/api/admin/subscribers' });
  expect(list.json<{ items: Subscriber[] }>().items).toContainEqual(subscriber);
  return subscriber;
}
const listActions = async () =>
  (
    await test.deps.database.db.selectFrom('audit_log').select('action').orderBy('id').execute()
  ).map(({ action }) => action);

describe('a payment', () => {
  it('can be refunded in part or in full, once each, and access follows', async () => {
    const me = payingClient(test, member);
    await me.buy('monthly');
    const [invoice] = await listInvoices();
    const refund = (amount: number) =>
      post('subscribers/:id/refund', { invoiceId: invoice?.id, amount, endsSubscription: false });
    expect((await refund(20_00)).statusCode).toBe(200);
    expect(await listInvoices()).toMatchObject([{ refunded: 20_00, status: 'partly-refunded' }]);
    expect(await me.isSubscriber()).toBe(true);
    const tooMuch = await refund(60_00);
    expect([tooMuch.statusCode, tooMuch.json<ErrorBody>().fields]).toEqual([
      400,
      { amount: 'That’s more than the refundable amount.' },
    ]);
    expect(await readPaying()).toMatchObject({ basis: 'payment', refundedAt: null });
    expect((await refund(59_00)).statusCode).toBe(200);
    expect(await me.isSubscriber()).toBe(false);
    const refundedAt = test.clock.now();
    expect(await readPaying()).toMatchObject({ paidThrough: null, basis: 'refunded', refundedAt });
    const acts = (await listActions()).toSorted();
    expect(acts).toEqual([
      'payment.refunded',
      'payment.refunded',
      'refund.requested',
      'refund.requested',
    ]);
  });

  it('whose refund is pending at the provider is shown as requested', async () => {
    const me = payingClient(test, member);
    await me.buy('monthly');
    const [invoice] = await listInvoices();
    test.deps.payments.refund = async () => {
      throw failure('Not today.');
    };
    const answer = await post('subscribers/:id/refund', {
      invoiceId: invoice?.id,
      amount: 79_00,
      endsSubscription: true,
    });
    expect(answer.statusCode).toBeGreaterThanOrEqual(500);
    expect(await listActions()).toEqual(['refund.requested']);
    expect(await listInvoices()).toMatchObject([{ refunded: 0, status: 'paid' }]);
  });

  it('of another user is not found, and wrong amounts are rejected', async () => {
    const refund = (amount: number | string) =>
      post('subscribers/:id/refund', { invoiceId: 'x', amount, endsSubscription: false });
    expect((await refund(1)).statusCode).toBe(404);
    for (const amount of [0, -5, 1.5, '79', 1e12])
      expect((await refund(amount)).statusCode).toBe(400);
    expect(await listActions()).toEqual([]);
  });
});

describe('a subscription', () => {
  it('can be ended at the end of the paid period or immediately, and is never charged again', async () => {
    const me = payingClient(test, member);
    await me.buy('monthly');
    const soft = await post('subscribers/:id/end', { isImmediate: false });
    expect(soft.json<SubscriberPage>().subscription).toMatchObject({
      status: 'cancelled',
      hasAccess: true,
      nextPayment: null,
    });
    const cancelled = await admin.client.request({
      url: '/api/admin/subscribers?filter=cancelled',
    });
    expect(cancelled.json<{ items: { id: string }[] }>().items).toMatchObject([
      { id: member.user.id },
    ]);
    test.clock.advance(1000);
    await post('subscribers/:id/end', { isImmediate: true });
    expect(await me.isSubscriber()).toBe(false);
    expect(await listActions()).toEqual(['subscription.ended', 'subscription.ended']);
    const nothing = await post('subscribers/:id/end', { isImmediate: false });
    expect(nothing.json<ErrorBody>().code).toBe('not_subscribed');
  });

  it('can be granted, coupons and gifts created, and the audit log shows all of it', async () => {
    const until = test.clock.now() + 30 * DAY;
    await post('users/:id/access', { do: 'grant', until });
    const url = `/api/admin/subscribers/${member.user.id}`;
    const page = (await admin.client.request({ url })).json<SubscriberPage>();
    expect(page.subscriber).toMatchObject({ access: 'active', paidThrough: until, basis: 'free' });
    const coupon = await admin.client.request({
      method: 'POST',
      url: '/api/admin/coupons',
      payload: {
        kind: 'percent',
        percent: 50,
        code: 'SUMMER',
        plans: ['monthly'],
        maxUses: null,
        startsAt: null,
        endsAt: null,
      },
    });
    expect(coupon.statusCode).toBe(200);
    const gift = await admin.client.request({
      method: 'POST',
      url: '/api/admin/gifts',
      payload: { months: 3, from: 'The label' },
    });
    expect(gift.statusCode).toBe(200);
    expect(new Set(await listActions())).toEqual(
      new Set(['access.granted', 'coupon.created', 'gift.created']),
    );
    const acts = await test.deps.database.db.selectFrom('audit_log').selectAll().execute();
    expect(JSON.stringify(acts)).not.toContain(gift.json<{ url: string }>().url.split('/').at(-1));
  });
});
