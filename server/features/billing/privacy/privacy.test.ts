import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeSettings } from '../../../db/settings.ts';
import { findTraces } from '../../../testing/read-all-tables.ts';
import { deliverAll, payingClient, runPaymentJobs } from '../../../testing/test-payments.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';
import { DAY } from '#contract/rules/time.ts';

let test: TestApp;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
beforeEach(async () => {
  const mail = { send: async () => undefined, close: () => undefined };
  test = await createTestApp({ mail });
  member = await createUser(test, 'sipho.dlamini');
  me = payingClient(test, member);
});
afterEach(() => test.close());

it('exports the payments of a user', async () => {
  await me.buy('monthly');
  await me.cancel();
  const response = await member.client.request({ url: '/api/me/export' });
  const files = unzipSync(response.rawPayload);
  const rows = JSON.parse(strFromU8(files['billing.json']!)) as { kind: string; entry?: string }[];
  const kinds = new Set(rows.map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual(['invoice', 'ledger-entry', 'payment', 'subscription']);
  expect(rows.map(({ entry }) => entry)).toContain('cancelled');
});

it('stops charging a deleted account and keeps its invoices anonymously', async () => {
  await me.buy('monthly');
  await deliverAll(test);
  const payload = { password: PASSWORD, confirmation: 'delete' };
  const left = await member.client.request({ method: 'DELETE', url: '/api/me', payload });
  expect(left.statusCode).toBe(204);
  await test.worker.runDue();
  const { db } = test.deps.database;
  expect(await db.selectFrom('subscriptions').select('status').execute()).toEqual([
    { status: 'ended' },
  ]);
  // Neither we nor the provider can charge the card again.
  expect(await db.selectFrom('payment_methods').selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('sandbox_cards').selectAll().execute()).toEqual([]);
  test.clock.advance(40 * DAY);
  await runPaymentJobs(test);
  await deliverAll(test);
  expect(await db.selectFrom('jobs').selectAll().where('state', '=', 'dead').execute()).toEqual([]);
  expect(await findTraces(test.deps.database, [member.user.id, 'sipho.dlamini'])).toEqual([]);
  expect(await db.selectFrom('invoices').selectAll().execute()).toMatchObject([
    { number: 1, amount: 79_00, user_id: null, card: null },
  ]);
});

it('books a refund for a deleted account as a credit note, once', async () => {
  await me.buy('monthly');
  await deliverAll(test);
  const [charge] = await me.charges();
  const payload = { password: PASSWORD, confirmation: 'delete' };
  await member.client.request({ method: 'DELETE', url: '/api/me', payload });
  await test.worker.runDue();
  test.clock.advance(40 * DAY);
  await runPaymentJobs(test);
  await test.deps.payments.refund({ chargeId: charge?.id ?? '', amount: 20_00, key: 'a' });
  await deliverAll(test);
  await test.deps.payments.refund({ chargeId: charge?.id ?? '', amount: 59_00, key: 'b' });
  await deliverAll(test);
  const { db } = test.deps.database;
  const notes = await db.selectFrom('credit_notes').selectAll().orderBy('number').execute();
  expect(notes).toMatchObject([
    { number: 1, amount: 20_00, reason: 'refund' },
    { number: 2, amount: 59_00, reason: 'refund' },
  ]);
  expect(await db.selectFrom('refused_payments').selectAll().execute()).toEqual([]);
});

it('asks again for a refund that the bank of a deleted account sent back, and says so', async () => {
  const { checkoutId, reference } = await me.begin('monthly');
  const payload = { password: PASSWORD, confirmation: 'delete' };
  await member.client.request({ method: 'DELETE', url: '/api/me', payload });
  await test.sandbox.pay(checkoutId, { card: 'success' });
  const readRefunded = async () => (await test.deps.payments.readPayment(reference, null)).refunded;
  await runPaymentJobs(test);
  expect(await readRefunded()).toBe(79_00);
  await runPaymentJobs(test);
  await test.sandbox.failRefund(reference);
  expect(await readRefunded()).toBe(0);
  await runPaymentJobs(test);
  await runPaymentJobs(test);
  expect(await readRefunded()).toBe(79_00);
  const issues = await test.deps.database.db
    .selectFrom('payment_issues')
    .select(['kind', 'note'])
    .where('kind', '=', 'refund-failed')
    .execute();
  expect(issues).toEqual([{ kind: 'refund-failed', note: 'It was refunded again.' }]);
});

it.each([
  ['a webhook reports the payment', () => deliverAll(test)],
  ['no webhook arrives', () => runPaymentJobs(test)],
])(
  'does not charge a deleted account for an open checkout when %s',
  async (_name, reconcileCheckout) => {
    const { checkoutId } = await me.begin('monthly');
    const payload = { password: PASSWORD, confirmation: 'delete' };
    await member.client.request({ method: 'DELETE', url: '/api/me', payload });
    await test.sandbox.pay(checkoutId, { card: 'success' });
    await reconcileCheckout();
    await test.worker.runDue();
    const { db } = test.deps.database;
    await runPaymentJobs(test);
    expect(await db.selectFrom('subscriptions').selectAll().execute()).toEqual([]);
    const [charge] = await db.selectFrom('sandbox_payments').selectAll().execute();
    expect(charge?.refunded).toBe(79_00);
    // In the books it came and went, without an invoice.
    const booked = await db
      .selectFrom('refused_payments')
      .select('amount')
      .orderBy('amount', 'desc')
      .execute();
    expect(booked.map(({ amount }) => amount)).toEqual([79_00, -79_00]);
    test.clock.advance(40 * DAY);
    await runPaymentJobs(test);
    expect(await db.selectFrom('sandbox_payments').selectAll().execute()).toHaveLength(1);
  },
);

it('ends the subscription at once and forgets the card later while the provider is down', async () => {
  await me.buy('monthly');
  const { payments, database } = test.deps;
  const { forgetCard } = payments;
  Object.assign(payments, { forgetCard: () => Promise.reject(new Error('down')) });
  const payload = { password: PASSWORD, confirmation: 'delete' };
  await member.client.request({ method: 'DELETE', url: '/api/me', payload });
  for (let hour = 0; hour < 5 * 24; hour += 2) {
    test.clock.advance(DAY / 12);
    await test.worker.runDue();
  }
  const rows = () => database.db.selectFrom('payment_methods').select('state').execute();
  expect(await rows()).toEqual([{ state: 'forgotten' }]);
  Object.assign(payments, { forgetCard });
  test.clock.advance(DAY);
  await test.worker.runDue();
  expect(await rows()).toEqual([]);
});

it('gives no second trial or coupon to a new account with the same address', async () => {
  const { db } = test.deps.database;
  const now = test.clock.now();
  await changeSettings(db, { trialDays: 7 }, now);
  await db
    .insertInto('coupons')
    .values({
      id: 'cpn',
      code: 'ONCE',
      kind: 'percent',
      percent: 25,
      free_days: null,
      plans: '["monthly","annual"]',
      max_uses: null,
      starts_at: null,
      ends_at: null,
      created_by: 'boss',
      created_at: now,
    })
    .execute();
  await me.buy('monthly', { coupon: 'ONCE' });
  const payload = { password: PASSWORD, confirmation: 'delete' };
  await member.client.request({ method: 'DELETE', url: '/api/me', payload });
  await test.worker.runDue();
  const again = await createUser(test, 'sipho.dlamini');
  const quote = (more = '') =>
    again.client.request({ url: `/api/checkout/quote?plan=monthly${more}` });
  expect((await quote()).json()).toMatchObject({ trialDays: 0, dueNow: 79_00 });
  expect((await quote('&coupon=ONCE')).json()).toMatchObject({ code: 'coupon_invalid' });
  const other = await createUser(test, 'lerato');
  const url = '/api/checkout/quote?plan=monthly';
  expect((await other.client.request({ url })).json()).toMatchObject({ trialDays: 7 });
  expect(await findTraces(test.deps.database, [member.user.id])).toEqual([]);
});
