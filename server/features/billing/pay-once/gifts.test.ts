/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BoughtGift } from '#contract/paying/pay-once.ts';
import type { InvoicePage } from '#contract/paying/invoices.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { itOnPostgres } from '../../../testing/on-sqlite.ts';
import { createTestApp, type TestApp, type TestClient } from '../../../testing/test-app.ts';
import { payingClient, runSchedule } from '../../../testing/test-payments.ts';
import { createUser } from '../../../testing/test-user.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { listOpenIssues } from '../../payment-issues/service.ts';
import { settlePayment } from '../checkout/settle-payment.ts';
import { anonymiseBilling } from '../privacy/service.ts';
import { lockAccount } from '../queries.ts';

let test: TestApp;
let visitor: TestClient;
beforeEach(async () => {
  test = await createTestApp();
  visitor = test.createClient();
});
afterEach(() => test.close());

const utc = (text: string) => Date.parse(`${text}T12:00:00Z`);

const newGift = {
  months: 3,
  amount: 237_00,
  from: 'Ayanda',
  words: 'For the long drives.',
  email: 'ayanda@example.com',
  recipient: null,
};

const post = async (client: TestClient, url: string, payload: object = {}) => {
  const response = await client.request({ method: 'POST', url, payload });
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
};

async function begin(more: object = {}, client = visitor) {
  const { status, body } = await post(client, '/api/bought-gifts', { ...newGift, ...more });
  expect([status, body]).toEqual([200, expect.anything()]);
  const { url, reference } = body as { url: string; reference: string };
  return { url, reference, checkoutId: url.split('/').at(-1) ?? '' };
}

const read = async (reference: string): Promise<BoughtGift> => {
  const response = await visitor.request({ url: `/api/bought-gifts/${reference}` });
  expect(response.statusCode).toBe(200);
  return response.json<BoughtGift>();
};

async function buy(more: object = {}, client = visitor) {
  const started = await begin(more, client);
  await test.sandbox.pay(started.checkoutId, { bank: 'eft-paid' });
  const gift = await read(started.reference);
  expect(gift.state).toBe('paid');
  return { ...started, gift, token: gift.url?.split('/').at(-1) ?? '' };
}

const mails = async () => {
  await test.worker.runDue();
  return test.deps.database.db
    .selectFrom('outbox')
    .select(['recipient as to', 'subject', 'body_text as text', 'body_html as html'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
};

const listSubjects = async () => (await mails()).map(({ to, subject }) => `${to}: ${subject}`);

const getGift = async (token: string) => {
  const response = await visitor.request({ url: `/api/gifts/${token}` });
  return response.json<{ code?: string }>();
};

describe('a gift bought without an account', () => {
  it('is a link that works once it is paid for, with a receipt and an invoice', async () => {
    const { checkoutId, reference } = await begin();
    expect(await read(reference)).toMatchObject({ state: 'open', url: null });
    await test.sandbox.pay(checkoutId, { bank: 'capitec-paid' });
    const gift = await read(reference);
    expect(gift).toMatchObject({ state: 'paid', months: 3, from: 'Ayanda', isRedeemed: false });
    const token = gift.url?.split('/').at(-1) ?? '';
    expect(await getGift(token)).toEqual({
      months: 3,
      from: 'Ayanda',
      words: 'For the long drives.',
      isRedeemed: false,
    });
    const [mail] = await mails();
    expect(mail?.to).toBe('ayanda@example.com');
    expect(mail?.subject).toBe('Your gift of Weekender Premium: 3 months');
    expect(mail?.text).toContain(gift.url);
    expect(mail?.text).toContain('Invoice number: 000001');
    const invoice = await visitor.request({ url: `/api/bought-gifts/${reference}/invoice` });
    expect(invoice.json<InvoicePage>()).toMatchObject({
      number: '000001',
      amount: 237_00,
      description: 'Premium as a gift, 3 months',
      buyer: { email: 'ayanda@example.com' },
    });
    const thandi = await createUser(test, 'thandi');
    const me = payingClient(test, thandi);
    await me.call('POST', `/api/gifts/${token}/redeem`);
    expect(await me.subscription()).toMatchObject({
      status: 'complimentary',
      paidThrough: utc('2027-02-15'),
    });
    expect((await read(reference)).isRedeemed).toBe(true);
  });

  it('needs an address for the receipt', async () => {
    const { email: _email, ...nameless } = newGift;
    const { status, body } = await post(visitor, '/api/bought-gifts', nameless);
    expect([status, body]).toMatchObject([400, { fields: { email: expect.any(String) } }]);
  });

  it('starts when the time of someone with Premium ends', async () => {
    const thandi = await createUser(test, 'thandi');
    const me = payingClient(test, thandi);
    await me.buy('monthly');
    const { token } = await buy();
    await me.call('POST', `/api/gifts/${token}/redeem`);
    expect((await me.subscription()).nextPayment?.at).toBe(utc('2027-03-15'));
  });

  it('is one payment page for two tabs, and another once it is paid', async () => {
    const [one, two] = [await begin(), await begin()];
    expect(two).toEqual(one);
    expect((await begin({ words: 'Others.' })).url).not.toBe(one.url);
    await test.sandbox.pay(one.checkoutId, { bank: 'eft-paid' });
    await read(one.reference);
    expect((await begin()).url).not.toBe(one.url);
  });

  it('opens one page for simultaneous clicks', async () => {
    const urls = await Promise.all([begin(), begin(), begin()]);
    expect(new Set(urls.map(({ url }) => url)).size).toBe(1);
  });

  it.each([
    ['a day that is over', { recipient: { email: 'thandi@example.com', day: '2026-11-14' } }],
    ['a day in two years', { recipient: { email: 'thandi@example.com', day: '2028-11-15' } }],
    ['no day', { recipient: { email: 'thandi@example.com', day: '2026-02-30' } }],
    ['no address', { recipient: { email: 'thandi', day: '2026-12-24' } }],
    ['a link in the words', { words: 'See https://evil.example' }],
    ['a second header line', { from: 'Ayanda\r\nBcc: all@example.com' }],
    ['two months', { months: 2, amount: 158_00 }],
    ['an old price', { amount: 1_00 }],
  ])('is refused with a sentence: %s', async (_name, more) => {
    const { status, body } = await post(visitor, '/api/bought-gifts', { ...newGift, ...more });
    expect([400, 409]).toContain(status);
    expect(body).toMatchObject({ message: expect.stringMatching(/\w+/) });
  });

  it('is limited by network', async () => {
    for (let count = 0; count < 10; count += 1) await begin({ from: `Ayanda ${count}` });
    const { status } = await post(visitor, '/api/bought-gifts', { ...newGift, from: 'Once more' });
    expect(status).toBe(429);
  });

  it('is unknown to whoever guesses', async () => {
    expect((await visitor.request({ url: '/api/bought-gifts/wk-guessed' })).statusCode).toBe(404);
    const { reference } = await begin();
    const url = `/api/bought-gifts/${reference}/invoice`;
    expect((await visitor.request({ url })).statusCode).toBe(404);
    expect((await post(visitor, `/api/bought-gifts/${reference}/send`)).status).toBe(404);
  });
});

describe('a gift by mail', () => {
  const recipient = { email: 'thandi@example.com', day: '2026-12-24' };

  it('is sent on the morning of its day, once, and can be sent again', async () => {
    const { reference } = await buy({ recipient });
    expect(await listSubjects()).toEqual([
      'ayanda@example.com: Your gift of Weekender Premium: 3 months',
    ]);
    // 08:00 in Johannesburg.
    test.clock.advance(Date.parse('2026-12-24T05:59:00Z') - test.clock.now());
    await runSchedule(test, 'send-gifts');
    expect(await mails()).toHaveLength(1);
    test.clock.advance(Date.parse('2026-12-24T06:01:00Z') - test.clock.now());
    await runSchedule(test, 'send-gifts');
    await runSchedule(test, 'send-gifts');
    const sent = await mails();
    expect(sent.slice(1)).toMatchObject([
      { to: 'thandi@example.com', subject: 'Ayanda gave you 3 months of Weekender Premium' },
    ]);
    expect(sent[1]?.text).toContain('For the long drives.');
    expect((await read(reference)).recipient?.sentAt).toBe(test.clock.now());
    expect((await post(visitor, `/api/bought-gifts/${reference}/send`)).status).toBe(200);
    expect((await listSubjects()).slice(2)).toEqual([
      'thandi@example.com: Ayanda gave you 3 months of Weekender Premium',
    ]);
  });

  it('is sent as soon as a slow bank has paid, if its day has come', async () => {
    const today = { ...recipient, day: '2026-11-15' };
    const { checkoutId, reference } = await begin({ recipient: today });
    await test.sandbox.pay(checkoutId, { bank: 'eft-later' });
    expect((await read(reference)).state).toBe('pending');
    await runSchedule(test, 'send-gifts');
    expect(await mails()).toEqual([]);
    test.clock.advance(2 * HOUR);
    await runSchedule(test, 'settle-asked');
    await runSchedule(test, 'send-gifts');
    expect(await listSubjects()).toContain(
      'thandi@example.com: Ayanda gave you 3 months of Weekender Premium',
    );
  });

  it('shows hostile names as text', async () => {
    const from = '<img src=x onerror=alert(1)>';
    await buy({ recipient: { ...recipient, day: '2026-11-15' }, from, words: '<b>"&' });
    await runSchedule(test, 'send-gifts');
    const mail = (await mails()).find(({ to }) => to === recipient.email);
    expect(mail?.html).not.toContain('<img');
    expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(mail?.html).toContain('&lt;b&gt;');
  });

  it('that the bank didn’t pay is not sent, and its buyer hears of it', async () => {
    const { checkoutId, reference } = await begin({ recipient });
    await test.sandbox.pay(checkoutId, { bank: 'eft-fails' });
    await read(reference);
    test.clock.advance(2 * HOUR);
    await runSchedule(test, 'settle-asked');
    expect(await listSubjects()).toEqual([
      'ayanda@example.com: Your payment for a Weekender gift didn’t arrive',
    ]);
    expect(await read(reference)).toMatchObject({ state: 'failed', url: null });
  });
});

describe('a gift paid with another amount', () => {
  const payWrong = async () => {
    const { checkoutId, reference } = await begin();
    await test.sandbox.pay(checkoutId, { bank: 'eft-paid' });
    await test.deps.database.db.updateTable('sandbox_payments').set({ amount: 200_00 }).execute();
    expect((await read(reference)).state).toBe('returned');
    return reference;
  };
  const look = async () => {
    test.clock.advance(HOUR);
    await runSchedule(test, 'settle-asked');
    await runSchedule(test, 'watch-account');
  };
  const readRefunded = async (reference: string) =>
    (await test.sandbox.payments.readPayment(reference, null)).refunded;
  const RETURNED = 'ayanda@example.com: Your payment for a Weekender gift goes back';

  it('goes back, and its buyer hears of it once, however often it is looked at', async () => {
    const reference = await payWrong();
    for (let looks = 0; looks < 4; looks += 1) await look();
    expect(await readRefunded(reference)).toBe(200_00);
    expect(await listSubjects()).toEqual([RETURNED]);
  });

  it('is asked for again after the bank sends the refund back, and the buyer knows', async () => {
    const reference = await payWrong();
    await look();
    expect(await readRefunded(reference)).toBe(200_00);
    await test.sandbox.failRefund(reference);
    for (let looks = 0; looks < 3; looks += 1) await look();
    expect(await readRefunded(reference)).toBe(200_00);
    expect(await listSubjects()).toEqual([
      RETURNED,
      'ayanda@example.com: Your refund from Weekender didn’t reach you',
    ]);
    const issues = await test.deps.database.db
      .selectFrom('payment_issues')
      .select(['kind', 'note'])
      .where('kind', '=', 'refund-failed')
      .execute();
    expect(issues).toEqual([{ kind: 'refund-failed', note: 'It was refunded again.' }]);
  });
});

describe('a refunded gift', () => {
  const refund = async (reference: string, amount: number) => {
    const { chargeId } = await test.sandbox.payments.readPayment(reference, null);
    await test.sandbox.payments.refund({ chargeId: chargeId ?? '', amount, key: `${amount}` });
    await runSchedule(test, 'watch-account');
  };

  it('that nobody has claimed no longer works, and is credited', async () => {
    const { reference, token } = await buy();
    await refund(reference, 237_00);
    expect(await getGift(token)).toMatchObject({ code: 'gift_void' });
    const thandi = await createUser(test, 'thandi');
    const claim = await thandi.client.request({
      method: 'POST',
      url: `/api/gifts/${token}/redeem`,
    });
    expect(claim.statusCode).toBe(410);
    expect(await read(reference)).toMatchObject({ state: 'void', url: null });
    expect(await listSubjects()).toContain('ayanda@example.com: Your refund from Weekender: R237');
    const invoice = await visitor.request({ url: `/api/bought-gifts/${reference}/invoice` });
    expect(invoice.json<InvoicePage>()).toMatchObject({
      status: 'refunded',
      creditNotes: [{ amount: 237_00 }],
    });
  });

  it('stays if only a part went back', async () => {
    const { reference, token } = await buy();
    await refund(reference, 100_00);
    expect(await getGift(token)).toMatchObject({ months: 3 });
  });

  it('works again if the bank sends the refund back', async () => {
    const { reference, token } = await buy();
    await refund(reference, 237_00);
    await test.sandbox.failRefund(reference);
    await runSchedule(test, 'watch-account');
    expect(await getGift(token)).toMatchObject({ months: 3 });
    const issues = await test.deps.database.db
      .selectFrom('payment_issues')
      .select('kind')
      .where('closed_at', 'is', null)
      .execute();
    expect(issues).toEqual([{ kind: 'refund-failed' }]);
  });

  itOnPostgres(
    'that was claimed waits for a deletion of that account, and neither fails',
    async () => {
      const { reference, token } = await buy();
      const thandi = await createUser(test, 'thandi');
      await payingClient(test, thandi).call('POST', `/api/gifts/${token}/redeem`);
      const { chargeId } = await test.sandbox.payments.readPayment(reference, null);
      await test.sandbox.payments.refund({ chargeId: chargeId ?? '', amount: 237_00, key: 'all' });
      const { db } = test.deps.database;
      const { settled } = await db.transaction().execute(async (tx) => {
        await lockAccount(tx, thandi.user.id);
        const started = { settled: settlePayment(test.deps, reference) };
        await untilBlocked(db, 1);
        await anonymiseBilling(tx, 'postgres', thandi.user.id, test.clock.now());
        await tx.deleteFrom('users').where('id', '=', thandi.user.id).execute();
        return started;
      });
      await settled;
      const [gift] = await db.selectFrom('gifts').select('void_at').execute();
      expect(gift?.void_at).toBe(test.clock.now());
    },
  );

  it('that has begun ends what is left of it, and nothing that was paid for besides', async () => {
    const { reference, token } = await buy();
    const me = payingClient(test, await createUser(test, 'thandi'));
    await me.call('POST', `/api/gifts/${token}/redeem`);
    test.clock.advance(1000);
    const { url } = await me.call<{ url: string }>('POST', '/api/pay-once', {
      months: 1,
      amount: 79_00,
    });
    await test.sandbox.pay(url.split('/').at(-1) ?? '', { bank: 'eft-paid' });
    await runSchedule(test, 'settle-asked');
    expect((await me.subscription()).paidThrough).toBe(utc('2027-03-15'));
    test.clock.advance(62 * DAY - 1000);
    await refund(reference, 237_00);
    // A month of the gift was left.
    expect((await me.subscription()).paidThrough).toBe(utc('2027-02-13'));
    await refund(reference, 237_00);
    expect((await me.subscription()).paidThrough).toBe(utc('2027-02-13'));
    expect(await listSubjects()).toContain(
      'thandi@example.com: Your gift of Weekender Premium was refunded',
    );
  });

  it('waits while a bank decides about a dispute', async () => {
    const { reference, token } = await buy();
    await test.sandbox.dispute(reference);
    await runSchedule(test, 'watch-account');
    expect(await getGift(token)).toMatchObject({ code: 'gift_void' });
    const { db } = test.deps.database;
    expect(await listOpenIssues(db)).toMatchObject([
      { kind: 'dispute', reason: 'R237 for a gift charged back.' },
    ]);
    await test.sandbox.endDispute(reference, 'won');
    await runSchedule(test, 'watch-account');
    expect(await getGift(token)).toMatchObject({ months: 3 });
  });
});

describe('the invoice of a visitor’s gift', () => {
  it('is refunded by an administrator, with a reason and a password', async () => {
    const { reference, token } = await buy();
    const boss = await createUser(test, 'boss');
    const { db } = test.deps.database;
    await db.updateTable('users').set({ is_admin: 1 }).where('id', '=', boss.user.id).execute();
    const { id } = await db.selectFrom('invoices').select('id').executeTakeFirstOrThrow();
    const ask = (amount: number) =>
      boss.client.request({
        method: 'POST',
        url: `/api/admin/invoices/${id}/refund`,
        payload: { amount, reason: 'Bought twice.' },
      });
    await db.updateTable('sessions').set({ confirmed_at: 0 }).execute();
    expect((await ask(237_00)).statusCode).toBe(403);
    await db.updateTable('sessions').set({ confirmed_at: test.clock.now() }).execute();
    expect((await ask(300_00)).statusCode).toBe(400);
    expect((await ask(237_00)).statusCode).toBe(204);
    expect((await read(reference)).state).toBe('void');
    expect(await getGift(token)).toMatchObject({ code: 'gift_void' });
  });
});

describe('a gift bought by a member', () => {
  it('has its receipt in their account, and may be claimed by themselves', async () => {
    const ayanda = await createUser(test, 'ayanda');
    const me = payingClient(test, ayanda);
    const { token } = await buy({ email: undefined }, ayanda.client);
    expect(await me.isSubscriber()).toBe(false);
    expect(await me.invoices()).toMatchObject([{ amount: 237_00, months: 3 }]);
    await me.call('POST', `/api/gifts/${token}/redeem`);
    expect((await me.subscription()).paidThrough).toBe(utc('2027-02-15'));
  });

  it('goes back if they delete their account before it arrives; one that has arrived stays', async () => {
    const ayanda = await createUser(test, 'ayanda');
    const arrived = await buy({}, ayanda.client);
    const { checkoutId, reference } = await begin({ from: 'A.' }, ayanda.client);
    await test.sandbox.pay(checkoutId, { bank: 'eft-later' });
    await read(reference);
    const { db } = test.deps.database;
    await db.transaction().execute(async (tx) => {
      await anonymiseBilling(tx, 'sqlite', ayanda.user.id, test.clock.now());
      await tx.deleteFrom('users').where('id', '=', ayanda.user.id).execute();
    });
    test.clock.advance(2 * HOUR);
    await runSchedule(test, 'settle-asked');
    await runSchedule(test, 'settle-asked');
    expect((await test.sandbox.payments.readPayment(reference, null)).refunded).toBe(237_00);
    expect(await read(reference)).toMatchObject({ state: 'returned', url: null, email: null });
    expect(await getGift(arrived.token)).toMatchObject({ months: 3 });
  });
});
