/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccessReport, Coupon, NewCoupon } from '#contract/admin/billing.ts';
import type { Quote } from '#contract/billing.ts';
import { changeSettings } from '../../../db/settings.ts';
import { deliverAll, payingClient, runPaymentJobs } from '../../../testing/test-payments.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { anonymiseBilling } from '../privacy/service.ts';
import { createUser, type TestUser } from '../../../testing/test-user.ts';
import { DAY } from '#contract/rules/time.ts';
import { describeOnSqlite, itOnSqlite } from '../../../testing/on-sqlite.ts';

let test: TestApp;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
let boss: TestUser;
let admin: ReturnType<typeof payingClient>;
beforeEach(async () => {
  test = await createTestApp();
  member = await createUser(test);
  me = payingClient(test, member);
  boss = await createUser(test, 'boss');
  await test.deps.database.db
    .updateTable('users')
    .set({ is_admin: 1 })
    .where('id', '=', boss.user.id)
    .execute();
  admin = payingClient(test, boss);
});
afterEach(() => test.close());

const utc = (text: string) => Date.parse(`${text}T12:00:00Z`);
const limits = {
  plans: ['monthly', 'annual'],
  maxUses: null,
  startsAt: null,
  endsAt: null,
} as const;
const makeCoupon = (coupon: Partial<NewCoupon> & { code: string }) =>
  admin.call<Coupon>('POST', '/api/admin/coupons', {
    ...limits,
    ...(coupon.kind === 'free' ? {} : { kind: 'percent', percent: 25 }),
    ...coupon,
  });
const codeOf = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const response = await member.client.request({ method, url, ...(payload && { payload }) });
  return response.json<{ code?: string }>().code ?? response.statusCode;
};
const readUses = async () => {
  const { items } = await admin.call<{ items: Coupon[] }>('GET', '/api/admin/coupons');
  return items.map(({ uses }) => uses);
};
const quote = (plan: string, coupon: string) => `/api/checkout/quote?plan=${plan}&coupon=${coupon}`;

describe('a coupon', () => {
  itOnSqlite('reduces the first payment and no other', async () => {
    await makeCoupon({ code: 'summer-25' });
    expect(await me.call<Quote>('GET', quote('monthly', 'summer-25'))).toMatchObject({
      dueNow: 59_25,
      thenAmount: 79_00,
      thenAt: utc('2026-12-15'),
      coupon: { code: 'SUMMER-25', description: '25% off the first payment' },
    });
    const { result } = await me.buy('monthly', { coupon: 'summer-25' });
    expect(result.purchase?.amount).toBe(59_25);
    test.clock.advance(30 * DAY);
    await runPaymentJobs(test);
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([59_25, 79_00]);
  });

  it('is used by the checkout that is paid, even if a later one was abandoned', async () => {
    await makeCoupon({ code: 'ONCE-25' });
    const first = await me.begin('monthly', 'ONCE-25');
    test.clock.advance(1000);
    const second = await me.begin('annual', 'ONCE-25');
    await test.sandbox.close(second.checkoutId);
    expect((await me.confirm(second.reference)).state).toBe('failed');
    await test.sandbox.pay(first.checkoutId, { card: 'success' });
    expect((await me.confirm(first.reference)).state).toBe('paid');
    await me.cancel();
    expect(await codeOf('GET', quote('monthly', 'ONCE-25'))).toBe('coupon_invalid');
    const list = await admin.call<{ items: Coupon[] }>('GET', '/api/admin/coupons');
    expect(list.items).toMatchObject([{ uses: 1 }]);
  });

  itOnSqlite('counts if its abandoned checkout is paid after all', async () => {
    await makeCoupon({ code: 'LATE-25' });
    const { checkoutId, reference } = await me.begin('monthly', 'LATE-25');
    test.clock.advance(8 * DAY);
    await runPaymentJobs(test);
    const { db } = test.deps.database;
    const { items } = await admin.call<{ items: Coupon[] }>('GET', '/api/admin/coupons');
    expect(items).toMatchObject([{ uses: 0 }]);
    await db.updateTable('sandbox_payments').set({ state: 'open', due_at: null }).execute();
    await test.sandbox.pay(checkoutId, { card: 'success' });
    expect((await me.confirm(reference)).state).toBe('paid');
    const list = await admin.call<{ items: Coupon[] }>('GET', '/api/admin/coupons');
    expect(list.items).toMatchObject([{ uses: 1 }]);
    await me.cancel();
    expect(await codeOf('GET', quote('monthly', 'LATE-25'))).toBe('coupon_invalid');
  });

  it('is left again when a page of a provider that is no longer in use is a week old', async () => {
    await makeCoupon({ code: 'MOVE-25', maxUses: 1 });
    await me.begin('monthly', 'MOVE-25');
    const { db } = test.deps.database;
    const change = (values: { provider: string } | { state: 'pending' | 'asked' }) =>
      db.updateTable('payments').set(values).execute();
    const readPages = async () => {
      await runPaymentJobs(test);
      const pages = await db.selectFrom('payments').select('state').execute();
      const issues = await db.selectFrom('payment_issues').select('kind').execute();
      return [...pages.map(({ state }) => state), ...issues.map(({ kind }) => kind)];
    };
    await change({ provider: 'paystack' });
    test.clock.advance(6 * DAY);
    expect(await readPages()).toEqual(['open']);
    test.clock.advance(DAY);
    expect(await readPages()).toEqual(['expired', 'unknown-charge']);
    expect(await readUses()).toEqual([0]);
    await db.deleteFrom('payment_issues').execute();
    // What may have moved money is for an administrator, and stays until they have looked it up.
    await change({ state: 'asked' });
    expect(await readPages()).toEqual(['asked', 'unknown-charge']);
    await db.deleteFrom('payment_issues').execute();
    await change({ state: 'pending' });
    expect(await readPages()).toEqual(['pending', 'unknown-charge']);
  });

  itOnSqlite('is used by one payment: a second checkout with it is refunded', async () => {
    await makeCoupon({ code: 'TWICE-25' });
    const first = await me.begin('monthly', 'TWICE-25');
    test.clock.advance(1000);
    const second = await me.begin('annual', 'TWICE-25');
    await test.sandbox.pay(first.checkoutId, { card: 'success' });
    expect((await me.confirm(first.reference)).state).toBe('paid');
    await me.cancel();
    await test.sandbox.pay(second.checkoutId, { card: 'success' });
    expect(await me.confirm(second.reference)).toMatchObject({ state: 'refused', purchase: null });
    await deliverAll(test);
    await runPaymentJobs(test);
    expect((await me.subscription()).paidThrough).toBe(utc('2026-12-15') + 1000);
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([59_25]);
    const { db } = test.deps.database;
    const taken = await db.selectFrom('sandbox_payments').selectAll().orderBy('amount').execute();
    expect(taken).toMatchObject([{ refunded: 0 }, { amount: 592_50, refunded: 592_50 }]);
    expect(await readUses()).toEqual([1]);
    const mails = await db.selectFrom('outbox').select(['subject', 'body_text']).execute();
    expect(mails).toContainEqual({
      subject: 'Refund of your Weekender payment: R592.50',
      body_text: expect.stringContaining('The code had already been used'),
    });
  });

  it.each([
    ['a percentage', { percent: 25 }],
    ['free days', { kind: 'free', freeDays: 30 }],
  ] as const)(
    'is refused for a late payment if someone else has used it meanwhile: %s',
    async (_name, kind) => {
      await makeCoupon({ code: 'LAST-ONE', maxUses: 1, ...kind });
      const { checkoutId, reference } = await me.begin('monthly', 'LAST-ONE');
      test.clock.advance(8 * DAY);
      await runPaymentJobs(test);
      const other = payingClient(test, await createUser(test, 'lerato'));
      await other.buy('monthly', { coupon: 'LAST-ONE' });
      const { db } = test.deps.database;
      await db
        .updateTable('sandbox_payments')
        .set({ state: 'open', due_at: null })
        .where('id', '=', checkoutId)
        .execute();
      await test.sandbox.pay(checkoutId, { card: 'success' });
      expect(await me.confirm(reference)).toMatchObject({ state: 'refused', purchase: null });
      await deliverAll(test);
      await runPaymentJobs(test);
      expect(await me.isSubscriber()).toBe(false);
      expect(await other.isSubscriber()).toBe(true);
      const taken = await db.selectFrom('sandbox_payments').selectAll().execute();
      const own = taken.filter((charge) => charge.reference === reference);
      expect(own.map(({ amount, refunded }) => amount - refunded)).toEqual(own.map(() => 0));
      expect((await me.subscription()).nextPayment).toBeNull();
      expect(await readUses()).toEqual([1]);
    },
  );

  itOnSqlite('is released when the user who reserved it deletes the account', async () => {
    await makeCoupon({ code: 'LEAVES', maxUses: 1 });
    const other = await createUser(test, 'lerato');
    await payingClient(test, other).begin('monthly', 'LEAVES');
    await test.deps.database.db
      .transaction()
      .execute((tx) => anonymiseBilling(tx, 'sqlite', other.user.id, test.clock.now()));
    expect(await readUses()).toEqual([0]);
    expect((await me.buy('monthly', { coupon: 'LEAVES' })).result.state).toBe('paid');
  });

  itOnSqlite('with a percentage replaces the trial: the first payment is due today', async () => {
    await changeSettings(test.deps.database.db, { trialDays: 7 }, test.clock.now());
    await makeCoupon({ code: 'NOW-25' });
    expect(await me.call<Quote>('GET', quote('monthly', 'NOW-25'))).toMatchObject({
      trialDays: 0,
      dueNow: 59_25,
    });
  });

  it('gives its free days once, however many checkouts were open', async () => {
    await makeCoupon({ code: 'AGAIN', kind: 'free', freeDays: 30 });
    const pages = [await me.begin('monthly', 'AGAIN'), await me.begin('annual', 'AGAIN')];
    test.clock.advance(40 * 60_000);
    pages.push(await me.begin('monthly', 'AGAIN'));
    for (const { checkoutId } of pages) await test.sandbox.pay(checkoutId, { card: 'success' });
    for (const { reference } of pages) await me.confirm(reference);
    await deliverAll(test);
    expect((await me.ledger()).filter((kind) => kind === 'coupon')).toHaveLength(1);
    // From the moment the card was checked.
    const start = utc('2026-12-15') + 40 * 60_000;
    expect((await me.subscription()).paidThrough).toBe(start);
  });

  itOnSqlite('gives free days before the first payment', async () => {
    await makeCoupon({ code: 'MONTH', kind: 'free', freeDays: 30 });
    const { result } = await me.buy('annual', { coupon: 'MONTH' });
    expect(result).toMatchObject({ state: 'paid', purchase: { amount: 0 } });
    expect(await me.subscription()).toMatchObject({
      status: 'trial',
      hasAccess: true,
      paidThrough: utc('2026-12-15'),
      nextPayment: { at: utc('2026-12-15'), amount: 790_00 },
    });
    expect(await me.ledger()).toEqual(['card-check', 'coupon', 'subscribed']);
    test.clock.advance(30 * DAY);
    await runPaymentJobs(test);
    expect(await me.subscription()).toMatchObject({
      status: 'active',
      paidThrough: utc('2027-12-15'),
    });
  });

  itOnSqlite('respects its dates, plans, one use per user and total uses', async () => {
    const now = test.clock.now();
    await makeCoupon({ code: 'EARLY', startsAt: now + DAY });
    await makeCoupon({ code: 'LATE', endsAt: now });
    await makeCoupon({ code: 'YEARLY', plans: ['annual'] });
    await makeCoupon({ code: 'FOR-ONE', maxUses: 1 });
    for (const code of ['EARLY', 'LATE', 'YEARLY', 'NO-SUCH'])
      expect(await codeOf('GET', quote('monthly', code))).toBe('coupon_invalid');
    expect(await codeOf('GET', quote('annual', 'YEARLY'))).toBe(200);
    const other = payingClient(test, await createUser(test, 'lerato'));
    await other.begin('monthly', 'FOR-ONE');
    // Reserved by a user who is about to pay; released if the payment fails.
    expect(await codeOf('POST', '/api/checkout', { plan: 'monthly', coupon: 'FOR-ONE' })).toBe(
      'coupon_invalid',
    );
    test.clock.advance(8 * DAY);
    await runPaymentJobs(test);
    await me.buy('monthly', { coupon: 'FOR-ONE' });
    await me.cancel();
    expect(await codeOf('GET', quote('monthly', 'FOR-ONE'))).toBe('coupon_invalid');
    const { items } = await admin.call<{ items: Coupon[] }>('GET', '/api/admin/coupons');
    expect(items).toHaveLength(4);
    expect(items).toContainEqual(expect.objectContaining({ code: 'FOR-ONE', uses: 1, maxUses: 1 }));
  });

  itOnSqlite('has a unique code and valid fields', async () => {
    const good = { ...limits, kind: 'percent', percent: 5, code: 'TWICE' };
    const { client } = boss;
    const make = async (payload: object) =>
      (await client.request({ method: 'POST', url: '/api/admin/coupons', payload })).statusCode;
    expect(await make(good)).toBe(200);
    expect(await make({ ...good, code: 'twice' })).toBe(409);
    for (const bad of [
      { code: 'X' },
      { code: 'NEW', percent: 100 },
      { code: 'NEW', percent: 0 },
      { code: 'NEW', plans: [] },
      { code: 'NEW', freeDays: 3 },
      { code: 'NEW', maxUses: 0 },
    ])
      expect(await make({ ...good, ...bad })).toBe(400);
  });
});

itOnSqlite(
  'is refused with a sentence if it leaves less than the provider takes, and creating it says so',
  async () => {
    const { db } = test.deps.database;
    await changeSettings(db, { monthlyPrice: 150, annualPrice: 790_00 }, test.clock.now());
    expect(await makeCoupon({ code: 'ALMOST', percent: 99 })).toMatchObject({
      tooSmallFor: ['monthly'],
    });
    const response = await member.client.request({ url: quote('monthly', 'ALMOST') });
    expect([response.statusCode, response.json()]).toEqual([
      422,
      {
        code: 'amount_too_small',
        message:
          'With this code you’d pay R0.02 today, but a card payment must be at least R1. Choose the other plan, or subscribe without the code.',
      },
    ]);
    const payload = { plan: 'monthly', coupon: 'ALMOST' };
    expect(await codeOf('POST', '/api/checkout', payload)).toBe('amount_too_small');
    expect(await me.call<Quote>('GET', quote('annual', 'ALMOST'))).toMatchObject({ dueNow: 7_90 });
    expect(await readUses()).toEqual([0]);
  },
);

itOnSqlite('stays on the pricing page for a user who goes back from the payment page', async () => {
  await makeCoupon({ code: 'SUMMER-25' });
  const { checkoutId, reference } = await me.begin('annual', 'SUMMER-25');
  const row = await test.sandbox.findPage(checkoutId);
  const back = new URL(row?.cancel_url ?? '');
  expect([back.pathname, Object.fromEntries(back.searchParams)]).toEqual([
    '/pricing',
    { plan: 'annual', code: 'SUMMER-25', reference },
  ]);
});

describe('a trial', () => {
  itOnSqlite('is a setting, comes before the first payment, and only once', async () => {
    await changeSettings(test.deps.database.db, { trialDays: 7 }, test.clock.now());
    expect(await me.call<Quote>('GET', '/api/checkout/quote?plan=monthly')).toMatchObject({
      dueNow: 0,
      trialDays: 7,
      firstPaymentAt: utc('2026-11-22'),
      thenAmount: 79_00,
    });
    await me.buy('monthly');
    expect(await me.subscription()).toMatchObject({
      status: 'trial',
      paidThrough: utc('2026-11-22'),
      nextPayment: { at: utc('2026-11-22'), amount: 79_00 },
    });
    test.clock.advance(7 * DAY);
    await runPaymentJobs(test);
    expect(await me.subscription()).toMatchObject({
      status: 'active',
      paidThrough: utc('2026-12-22'),
    });
    await me.cancel();
    test.clock.advance(60 * DAY);
    await runPaymentJobs(test);
    const next = await me.call<Quote>('GET', '/api/checkout/quote?plan=monthly');
    expect(next).toMatchObject({ trialDays: 0, dueNow: 79_00 });
  });

  it('ends after the grace period if the first payment fails', async () => {
    await changeSettings(test.deps.database.db, { trialDays: 7 }, test.clock.now());
    await me.buy('monthly', { card: 'pays-once' });
    expect(await me.isSubscriber()).toBe(true);
    test.clock.advance(7 * DAY);
    await runPaymentJobs(test);
    expect((await me.subscription()).status).toBe('late');
    test.clock.advance(3 * DAY);
    expect(await me.isSubscriber()).toBe(false);
  });
});

describeOnSqlite('a gift', () => {
  const makeGift = async (months: number) => {
    const gift = { months, from: 'The label' };
    const { url } = await admin.call<{ url: string }>('POST', '/api/admin/gifts', gift);
    return url.split('/').at(-1) ?? '';
  };

  it('is redeemed once by its link, and starts when the paid time ends', async () => {
    await me.buy('monthly');
    const token = await makeGift(3);
    const visitor = test.createClient();
    const shown = await visitor.request({ url: `/api/gifts/${token}` });
    expect(shown.json()).toMatchObject({ months: 3, from: 'The label', isRedeemed: false });
    const url = `/api/gifts/${token}/redeem`;
    const other = await createUser(test, 'lerato');
    const answers = await Promise.all(
      [member, other, member].map(({ client }) => client.request({ method: 'POST', url })),
    );
    const codes = answers.map(({ statusCode }) => statusCode);
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const tables = await test.deps.database.db.selectFrom('gifts').selectAll().execute();
    expect(JSON.stringify(tables)).not.toContain(token);
    expect(await codeOf('POST', url)).toBe('gift_redeemed');
    expect(await codeOf('POST', '/api/gifts/unknown/redeem')).toBe('not_found');
  });

  it('moves the next payment of a subscriber to its end', async () => {
    await me.buy('monthly');
    const token = await makeGift(3);
    await me.call('POST', `/api/gifts/${token}/redeem`);
    expect((await me.subscription()).nextPayment).toMatchObject({ at: utc('2027-03-15') });
    test.clock.advance(60 * DAY);
    await runPaymentJobs(test);
    expect(await me.charges()).toHaveLength(1);
    test.clock.advance(62 * DAY);
    await runPaymentJobs(test);
    expect(await me.charges()).toHaveLength(2);
  });

  it('comes before the first payment of a plan that is bought meanwhile', async () => {
    await me.call('POST', `/api/gifts/${await makeGift(2)}/redeem`);
    expect(await me.call<Quote>('GET', '/api/checkout/quote?plan=monthly')).toMatchObject({
      dueNow: 0,
      cardCheck: 1_00,
      firstPaymentAt: utc('2027-01-15'),
      thenAmount: 79_00,
    });
    await me.buy('monthly');
    await runPaymentJobs(test);
    expect(await me.charges()).toEqual([]);
    expect(await me.ledger()).toEqual(['gift', 'card-check', 'subscribed', 'refund']);
    test.clock.advance(62 * DAY);
    await runPaymentJobs(test);
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([79_00]);
    expect((await me.subscription()).paidThrough).toBe(utc('2027-02-15'));
  });

  it('gives a user who never paid complimentary access that ends', async () => {
    const token = await makeGift(2);
    await me.call('POST', `/api/gifts/${token}/redeem`);
    expect(await me.subscription()).toMatchObject({
      status: 'complimentary',
      paidThrough: utc('2027-01-15'),
      nextPayment: null,
    });
    test.clock.advance(65 * DAY);
    expect((await me.subscription()).status).toBe('ended');
  });
});

describe('the access report for administrators', () => {
  const report = (at?: number) =>
    admin.call<AccessReport>(
      'GET',
      `/api/admin/users/${member.user.id}/access${at === undefined ? '' : `?at=${at}`}`,
    );

  itOnSqlite('says whether the user had access at any given time, and why', async () => {
    const start = test.clock.now();
    test.clock.advance(DAY);
    await me.buy('monthly');
    test.clock.advance(10 * DAY);
    const [charge] = await me.charges();
    await test.deps.payments.refund({ chargeId: charge!.id, amount: 79_00, key: 'r' });
    await deliverAll(test);
    expect(await report(start)).toMatchObject({
      hasAccess: false,
      reason: 'No payments or grants on record.',
      entries: [],
    });
    expect(await report(start + 5 * DAY)).toMatchObject({
      hasAccess: true,
      reason: expect.stringContaining('R79 paid for the monthly plan.'),
    });
    expect(await report()).toMatchObject({
      hasAccess: false,
      reason: expect.stringContaining('R79 refunded'),
      paidThrough: null,
      entries: [{ kind: 'charge' }, { kind: 'subscribed' }, { kind: 'refund' }, { kind: 'ended' }],
    });
  });

  it('shows the grace period and its end', async () => {
    await me.buy('monthly');
    const end = utc('2026-12-15');
    expect(await report(end + DAY)).toMatchObject({
      hasAccess: true,
      reason: expect.stringContaining('grace period until 18 December 2026'),
    });
    expect(await report(end + 3 * DAY)).toMatchObject({
      hasAccess: false,
      reason: expect.stringContaining('the grace period is over'),
    });
  });

  itOnSqlite('records who granted or ended access, and why', async () => {
    const url = `/api/admin/users/${member.user.id}/access`;
    await me.buy('monthly');
    test.clock.advance(1000);
    await admin.call('POST', url, { do: 'end', reason: 'Shared the password on a forum.' });
    expect(await me.isSubscriber()).toBe(false);
    await test.worker.runDue();
    await deliverAll(test);
    expect((await me.subscription()).nextPayment).toBeNull();
    const until = test.clock.now() + 10 * DAY;
    await admin.call('POST', url, { do: 'grant', until, reason: 'Won the raffle.' });
    expect(await report()).toMatchObject({
      hasAccess: true,
      paidThrough: until,
      reason: expect.stringContaining('Won the raffle.'),
    });
  });

  itOnSqlite('is not found for an unknown user', async () => {
    const { client } = boss;
    const response = await client.request({ url: '/api/admin/users/nobody/access' });
    expect(response.statusCode).toBe(404);
  });
});

itOnSqlite('limits grants to a hundred years, since no later date can be shown', async () => {
  const url = `/api/admin/users/${member.user.id}/access`;
  const payload = { do: 'grant', until: 8.7e15, reason: 'For ever.' };
  const response = await boss.client.request({ method: 'POST', url, payload });
  expect(response.statusCode).toBe(400);
  expect((await me.subscription()).status).toBe('free');
});
