/** @module-tag both-databases */
import type { User } from '#contract/accounts.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaidOnce } from '#contract/paying/pay-once.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { changeSettings } from '../../../db/settings.ts';
import { failure } from '../../../ports/payments/payments.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { payingClient, runSchedule } from '../../../testing/test-payments.ts';
import { beforeNextTransaction } from '../../../testing/before-next-transaction.ts';
import { itOnPostgres } from '../../../testing/on-sqlite.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';
import { settlePayment } from '../checkout/settle-payment.ts';

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

const start = async (months: number, amount: number) => {
  const { url } = await me.call<{ url: string }>('POST', '/api/pay-once', { months, amount });
  const checkoutId = url.split('/').at(-1) ?? '';
  const row = await test.sandbox.findPage(checkoutId);
  return { url, checkoutId, reference: row?.reference ?? '' };
};

const refuse = async (payload: object) => {
  const response = await member.client.request({
    method: 'POST',
    url: '/api/pay-once',
    payload,
  });
  return [response.statusCode, response.json<{ code: string; message: string }>()];
};

const mails = async () => {
  await test.worker.runDue();
  const rows = await test.deps.database.db.selectFrom('outbox').select('subject').execute();
  return rows.map(({ subject }) => subject);
};

const settle = () => runSchedule(test, 'settle-asked');
const paidOnce = () => me.call<PaidOnce>('GET', '/api/pay-once');

describe('paying once', () => {
  it('gives the months that were paid for by EFT, with an invoice, and nothing renews', async () => {
    const { checkoutId, reference } = await start(3, 237_00);
    await test.sandbox.pay(checkoutId, { bank: 'eft-paid' });
    expect(await me.confirm(reference)).toMatchObject({ state: 'paid' });
    expect(await me.subscription()).toMatchObject({
      status: 'paid-once',
      hasAccess: true,
      paidThrough: utc('2027-02-15'),
      renews: false,
      nextPayment: null,
      card: null,
    });
    expect(await me.invoices()).toMatchObject([{ amount: 237_00, months: 3, plan: null }]);
    expect(await mails()).toEqual(['Your receipt from Weekender: R237']);
  });

  it('costs the monthly price, three times that, or the annual price', async () => {
    for (const [months, amount] of [
      [1, 79_00],
      [3, 237_00],
      [12, 790_00],
    ] as const) {
      const { reference } = await start(months, amount);
      const row = await test.deps.database.db
        .selectFrom('payments')
        .select(['amount', 'months', 'kind'])
        .where('reference', '=', reference)
        .executeTakeFirst();
      expect(row).toEqual({ amount, months, kind: 'once' });
    }
  });

  it('opens one page for two tabs', async () => {
    const [one, two] = [await start(3, 237_00), await start(3, 237_00)];
    expect(two.url).toBe(one.url);
    expect((await start(1, 79_00)).url).not.toBe(one.url);
  });

  it('adds to the time that the member has', async () => {
    for (const months of [1, 3]) {
      const { checkoutId, reference } = await start(months, months * 79_00);
      await test.sandbox.pay(checkoutId, { bank: 'capitec-paid' });
      await me.confirm(reference);
    }
    expect((await me.subscription()).paidThrough).toBe(utc('2027-03-15'));
  });

  it('costs what was shown at the start, whatever the price is when the money arrives', async () => {
    const { checkoutId, reference } = await start(1, 79_00);
    await changeSettings(test.deps.database.db, { monthlyPrice: 99_00 }, test.clock.now());
    await test.sandbox.pay(checkoutId, { bank: 'eft-paid' });
    expect((await me.confirm(reference)).state).toBe('paid');
    expect(await refuse({ months: 1, amount: 79_00 })).toEqual([
      409,
      {
        code: 'price_changed',
        message:
          'The price has changed: 1 month cost R99 now. Load the page again, and decide then.',
      },
    ]);
  });

  it('takes no codes, and says why', async () => {
    expect(await refuse({ months: 1, amount: 79_00, coupon: 'SUMMER' })).toEqual([
      422,
      {
        code: 'coupon_invalid',
        message:
          'Codes are for the plans that renew. Remove the code to pay once, or use it with a plan.',
      },
    ]);
    for (const months of [0, 2, -1, 1.5, 'three'])
      expect((await refuse({ months, amount: 79_00 }))[0]).toBe(400);
  });
});

describe('a bank payment on its way', () => {
  it('is shown until the bank has made it, however long that takes', async () => {
    const { checkoutId, reference } = await start(3, 237_00);
    await test.sandbox.pay(checkoutId, { bank: 'eft-later' });
    expect((await me.confirm(reference)).state).toBe('pending');
    expect(await me.subscription()).toMatchObject({
      hasAccess: false,
      pending: { reference, kind: 'once', months: 3, amount: 237_00, isAtBank: true },
    });
    test.clock.advance(2 * HOUR);
    await settle();
    expect(await me.subscription()).toMatchObject({ status: 'paid-once', pending: null });
  });

  it('that fails hours later is mailed and shown, and nothing is given', async () => {
    const { checkoutId, reference } = await start(3, 237_00);
    await test.sandbox.pay(checkoutId, { bank: 'eft-fails' });
    await me.confirm(reference);
    expect((await paidOnce()).failed).toBeNull();
    test.clock.advance(2 * HOUR);
    await settle();
    expect(await mails()).toEqual(['Your payment for Weekender didn’t arrive']);
    expect(await me.isSubscriber()).toBe(false);
    expect((await paidOnce()).failed).toMatchObject({ reference, months: 3, amount: 237_00 });
    const again = await start(3, 237_00);
    await test.sandbox.pay(again.checkoutId, { bank: 'eft-paid' });
    await me.confirm(again.reference);
    expect((await paidOnce()).failed).toBeNull();
  });

  describe('whose account is deleted', () => {
    const payLater = async () => {
      const { checkoutId, reference } = await start(3, 237_00);
      await test.sandbox.pay(checkoutId, { bank: 'eft-later' });
      await me.confirm(reference);
      test.clock.advance(2 * HOUR);
      return reference;
    };
    const deleteAccount = async () => {
      const payload = { password: PASSWORD, confirmation: 'delete' };
      const response = await member.client.request({ method: 'DELETE', url: '/api/me', payload });
      expect([response.statusCode, response.body]).toEqual([204, '']);
    };
    const expectReturned = async (reference: string) => {
      await settle();
      expect(await test.sandbox.payments.readPayment(reference, null)).toMatchObject({
        status: 'paid',
        amount: 237_00,
        refunded: 237_00,
      });
    };

    it('goes back, also if that happens just before it is recorded', async () => {
      const reference = await payLater();
      const state = await test.deps.payments.readPayment(reference, null);
      beforeNextTransaction(test.deps.database, deleteAccount);
      expect((await settlePayment(test.deps, reference, state))?.row.state).toBe('refused');
      await expectReturned(reference);
    });

    itOnPostgres('waits for the deletion, and neither fails', async () => {
      await me.buy('monthly');
      const reference = await payLater();
      const { db } = test.deps.database;
      const { deletion, settled } = await db.transaction().execute(async (tx) => {
        // The deletion stops here in its middle: it has the user, but not yet their payments.
        await tx.updateTable('payment_methods').set({ brand: '' }).execute();
        const started = { deletion: deleteAccount() };
        await untilBlocked(db, 1);
        const both = { ...started, settled: settlePayment(test.deps, reference) };
        await untilBlocked(db, 2);
        return both;
      });
      await deletion;
      expect((await settled)?.row.state).toBe('refused');
      await expectReturned(reference);
    });
  });

  it('that comes after the month was paid by card stays as time, or goes back with one tap', async () => {
    const { checkoutId, reference } = await start(1, 79_00);
    await test.sandbox.pay(checkoutId, { bank: 'eft-later' });
    await me.confirm(reference);
    test.clock.advance(1000);
    await me.buy('monthly');
    const byCard = (await me.subscription()).nextPayment;
    expect((await paidOnce()).returnable).toBeNull();
    test.clock.advance(2 * HOUR);
    await settle();
    expect((await me.subscription()).nextPayment?.at).toBe(utc('2027-01-15') + 1000);
    const { returnable } = await paidOnce();
    expect(returnable).toMatchObject({ reference, months: 1, amount: 79_00 });
    expect((returnable?.until ?? 0) - test.clock.now()).toBeLessThanOrEqual(7 * DAY);
    const after = await me.call<PaidOnce>('POST', `/api/pay-once/${reference}/return`);
    expect(after.returnable).toBeNull();
    expect((await me.subscription()).nextPayment).toEqual(byCard);
    expect((await test.sandbox.payments.readPayment(reference, null)).refunded).toBe(79_00);
    const again = await member.client.request({
      method: 'POST',
      url: `/api/pay-once/${reference}/return`,
    });
    expect(again.statusCode).toBe(404);
  });

  it('is given back later if the provider is down', async () => {
    const { checkoutId, reference } = await start(1, 79_00);
    await test.sandbox.pay(checkoutId, { bank: 'eft-later' });
    await me.confirm(reference);
    test.clock.advance(1000);
    await me.buy('monthly');
    test.clock.advance(2 * HOUR);
    await settle();
    const { payments } = test.deps;
    const working = payments.refund;
    payments.refund = async () => {
      throw failure('Not today.');
    };
    const url = `/api/pay-once/${reference}/return`;
    const answer = await member.client.request({ method: 'POST', url });
    expect(answer.statusCode).toBe(503);
    payments.refund = working;
    test.clock.advance(HOUR);
    await test.worker.runDue();
    await settle();
    expect((await payments.readPayment(reference, null)).refunded).toBe(79_00);
    expect((await paidOnce()).returnable).toBeNull();
  });

  it('can be had back for seven days, and only by who paid it', async () => {
    const { checkoutId, reference } = await start(1, 79_00);
    await test.sandbox.pay(checkoutId, { bank: 'eft-later' });
    await me.confirm(reference);
    test.clock.advance(1000);
    await me.buy('monthly');
    test.clock.advance(2 * HOUR);
    await settle();
    const other = await createUser(test, 'lerato');
    const url = `/api/pay-once/${reference}/return`;
    expect((await other.client.request({ method: 'POST', url })).statusCode).toBe(404);
    test.clock.advance(7 * DAY);
    expect((await paidOnce()).returnable).toBeNull();
  });
});

describe('before the time ends', () => {
  it('a mail and a notice offer the same months again, once', async () => {
    const { checkoutId, reference } = await start(3, 237_00);
    await test.sandbox.pay(checkoutId, { bank: 'eft-paid' });
    await me.confirm(reference);
    expect((await paidOnce()).again).toBeNull();
    test.clock.advance(86 * DAY);
    await runSchedule(test, 'announce-ends');
    await runSchedule(test, 'announce-ends');
    expect((await mails()).slice(1)).toEqual(['Your Weekender Premium ends on 15 February 2027']);
    const { body_text } = await test.deps.database.db
      .selectFrom('outbox')
      .select('body_text')
      .where('subject', 'like', '%ends on%')
      .executeTakeFirstOrThrow();
    expect(body_text).toContain('Pay for 3 more months:\n');
    expect(body_text).toContain('/pricing?pay=3');
    expect((await paidOnce()).again).toEqual({
      months: 3,
      amount: 237_00,
      until: utc('2027-02-15'),
    });
    const { paymentDue } = await me.call<User>('GET', '/api/auth/me');
    expect(paymentDue).toEqual({ kind: 'ends', until: utc('2027-02-15') });
  });
});
