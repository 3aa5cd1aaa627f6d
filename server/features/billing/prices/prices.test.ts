/** @module-tag both-databases */
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#contract/admin/audit.ts';
import type { Prices } from '#contract/admin/prices.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { Page } from '#contract/paging.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import { findTraces } from '../../../testing/read-all-tables.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { payingClient, runPaymentJobs, runSchedule } from '../../../testing/test-payments.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';
import { describeOnSqlite, itOnSqlite } from '../../../testing/on-sqlite.ts';

let test: TestApp;
let admin: TestUser;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
let sent: MailMessage[];
let isMailDown: boolean;
beforeEach(async () => {
  sent = [];
  isMailDown = false;
  const mail = {
    send: async (message: MailMessage) => {
      if (isMailDown) throw new Error('The mail server is down.');
      sent.push(message);
    },
    close: () => undefined,
  };
  test = await createTestApp({ mail });
  admin = await createAdmin(test, 'boss');
  member = await createUser(test);
  me = payingClient(test, member);
});
afterEach(() => test.close());

const toTime = (day: string) => Date.parse(`${day}T12:00:00Z`);
const boss = () => payingClient(test, admin);
const input = (values: object = {}) => ({
  plan: 'monthly',
  amount: 99_00,
  startsAt: toTime('2027-01-10'),
  noticeDays: 30,
  ...values,
});
const plan = (values: object = {}) =>
  boss().call<Prices>('POST', '/api/admin/prices/changes', input(values));
const refuse = async (values: object) => {
  const response = await admin.client.request({
    method: 'POST',
    url: '/api/admin/prices/changes',
    payload: input(values),
  });
  return response.json<ErrorBody>();
};
const read = () => boss().call<Prices>('GET', '/api/admin/prices');
const cancel = async (id: string) => {
  // Which also keeps the administrator logged in.
  await read();
  return admin.client.request({ method: 'POST', url: `/api/admin/prices/changes/${id}/cancel` });
};

const runHourly = () => runSchedule(test, 'check-price-changes');

/** Lets time pass day by day, or in longer steps, with everything that happens meanwhile. */
async function passTo(day: string, step = 3 * DAY) {
  while (test.clock.now() < toTime(day)) {
    test.clock.advance(Math.min(step, toTime(day) - test.clock.now()));
    await runPaymentJobs(test, 'check-price-changes');
  }
}
const takeMails = async (kind: string) => {
  await test.worker.runDue();
  const found = sent.filter(({ subject }) => subject.includes(kind));
  sent = [];
  return found;
};
const amounts = async (who = me) => (await who.charges()).map(({ amount }) => amount);

describeOnSqlite('a higher price', () => {
  it('is told to each subscriber, and charged from their first payment after date and notice', async () => {
    await me.buy('monthly');
    await takeMails('');
    const { changes } = await plan();
    expect(changes).toMatchObject([{ state: 'planned', told: 0, applied: 0, canCancel: true }]);
    const [mail] = await takeMails('price');
    expect(mail?.to).toBe('thandi@example.com');
    expect(mail?.subject).toBe('The price of your Weekender Premium changes on 15 January 2027');
    expect(mail?.text).toContain(
      'From 15 January 2027 your monthly plan costs R99 instead of R79 a month. Every payment before then stays as it is.',
    );
    expect(mail?.text).toContain('cancel before 15 January 2027');
    expect(await me.subscription()).toMatchObject({
      nextPayment: { amount: 79_00, at: toTime('2026-12-15') },
      priceChange: { amount: 99_00, oldAmount: 79_00, at: toTime('2027-01-15') },
    });
    await passTo('2027-01-09');
    expect((await me.call<{ monthly: object }>('GET', '/api/plans')).monthly).toEqual({
      amount: 79_00,
    });
    await passTo('2027-02-16');
    expect(await amounts()).toEqual([79_00, 79_00, 99_00, 99_00]);
    expect(await me.subscription()).toMatchObject({
      status: 'active',
      priceChange: null,
      nextPayment: { amount: 99_00, at: toTime('2027-03-15') },
    });
    expect(await read()).toMatchObject({
      monthly: 99_00,
      changes: [{ state: 'current', told: 1, applied: 1, canCancel: false }],
    });
    expect(await me.ledger()).toContain('price-changed');
    expect(await takeMails('price')).toEqual([]);
    expect(await takeMails('Refund')).toEqual([]);
  });

  it('waits for the notice of those who subscribe shortly before it', async () => {
    await plan({ startsAt: toTime('2026-12-10'), noticeDays: 45 });
    test.clock.advance(15 * DAY);
    const quote = (name: string) => me.call<object>('GET', `/api/checkout/quote?plan=${name}`);
    // They know before they pay.
    expect(await quote('monthly')).toMatchObject({
      thenAmount: 79_00,
      priceChange: { at: toTime('2027-01-30'), amount: 99_00 },
    });
    expect(await quote('annual')).toMatchObject({ priceChange: null });
    await me.buy('monthly');
    await runHourly();
    expect((await me.subscription()).priceChange).toMatchObject({ at: toTime('2027-01-30') });
    await passTo('2027-01-31');
    expect(await amounts()).toEqual([79_00, 79_00, 99_00]);
  });

  it('applies to new checkouts from its date, not before', async () => {
    await plan({ startsAt: toTime('2026-12-10') });
    const priceOf = async () =>
      (await me.call<{ dueNow: number }>('GET', '/api/checkout/quote?plan=monthly')).dueNow;
    test.clock.advance(toTime('2026-12-10') - test.clock.now() - HOUR);
    await runHourly();
    expect(await priceOf()).toBe(79_00);
    test.clock.advance(HOUR);
    await test.worker.runDue();
    expect(await priceOf()).toBe(99_00);
    await me.buy('monthly');
    await runHourly();
    expect((await me.subscription()).priceChange).toBeNull();
    expect(await amounts()).toEqual([99_00]);
  });

  it('doesn’t concern those who cancel, change plans or pay the other plan', async () => {
    const [annual, leaver, changer] = await Promise.all(
      ['lerato', 'sipho', 'zanele'].map(async (name) =>
        payingClient(test, await createUser(test, name)),
      ),
    );
    await annual!.buy('annual');
    await leaver!.buy('monthly');
    await changer!.buy('monthly');
    await plan();
    await test.worker.runDue();
    expect((await annual!.subscription()).priceChange).toBeNull();
    await leaver!.cancel();
    expect((await leaver!.subscription()).priceChange).toBeNull();
    await changer!.change('annual');
    expect((await changer!.subscription()).priceChange).toBeNull();
    await passTo('2027-01-20');
    expect(await amounts(annual)).toEqual([790_00]);
    expect(await amounts(leaver)).toEqual([79_00]);
    expect(await amounts(changer)).toEqual([79_00, 790_00]);
  });

  it('comes back with those who resume, and is what a change back to the plan costs', async () => {
    await me.buy('monthly');
    await plan();
    await test.worker.runDue();
    await me.cancel();
    await passTo('2026-12-10');
    await me.resume();
    expect((await me.subscription()).priceChange).toMatchObject({ at: toTime('2027-01-15') });
    await passTo('2026-12-20');
    await me.change('annual');
    expect((await me.change('monthly')).nextPayment).toMatchObject({ amount: 99_00 });
    await passTo('2027-01-16');
    expect(await amounts()).toEqual([79_00, 79_00, 99_00]);
  });

  it('is what those pay from the start who leave and subscribe again after it', async () => {
    await me.buy('monthly');
    await plan();
    await test.worker.runDue();
    await me.cancel();
    await passTo('2027-01-20');
    await me.buy('monthly');
    expect(await me.subscription()).toMatchObject({
      priceChange: null,
      nextPayment: { amount: 99_00 },
    });
    await passTo('2027-02-21');
    expect(await amounts()).toEqual([79_00, 99_00, 99_00]);
    expect(await me.ledger()).not.toContain('price-changed');
  });

  it('isn’t charged to someone who was told, left, and came back to a lower price', async () => {
    await me.buy('monthly');
    await plan({ startsAt: toTime('2026-12-01') });
    await test.worker.runDue();
    await me.cancel();
    await passTo('2026-12-20');
    await plan({ amount: 59_00, startsAt: toTime('2026-12-22') });
    await passTo('2026-12-23');
    await me.buy('monthly');
    await passTo('2027-02-24');
    expect(await amounts()).toEqual([79_00, 59_00, 59_00, 59_00]);
  });
});

it('applies a lower price to the next payment without a notice', async () => {
  await me.buy('monthly');
  await takeMails('');
  await plan({ amount: 59_00, startsAt: test.clock.now() + HOUR });
  const [mail] = await takeMails('price');
  expect(mail?.text).toContain(
    'From 15 December 2026 your monthly plan costs R59 instead of R79 a month.',
  );
  expect(mail?.text).not.toContain('cancel');
  await passTo('2026-12-16');
  expect(await amounts()).toEqual([79_00, 59_00]);
});

it('tells everyone once, however many there are and however often it is interrupted', async () => {
  const { db } = test.deps.database;
  await me.buy('monthly');
  await test.worker.runDue();
  const template = await db.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow();
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', member.user.id)
    .executeTakeFirstOrThrow();
  const ids = Array.from({ length: 620 }, (_, index) => `u${String(index).padStart(4, '0')}`);
  const people = ids.map((id) => {
    const name = { username: id, username_key: id, username_look: id, email: id, email_key: id };
    return { ...user, ...name, id };
  });
  for (let start = 0; start < ids.length; start += 50) {
    const some = people.slice(start, start + 50);
    await db.insertInto('users').values(some).execute();
    await db
      .insertInto('subscriptions')
      .values(some.map(({ id }) => ({ ...template, id, user_id: id })))
      .execute();
  }
  // Stopped in the middle: the rest is told by the next run.
  await db.deleteFrom('jobs').execute();
  await plan();
  await runHourly();
  await runHourly();
  expect((await read()).changes).toMatchObject([{ told: 621 }]);
  const messages = await db
    .selectFrom('sent_messages')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('key', 'like', '%:price-change:%')
    .executeTakeFirstOrThrow();
  expect(messages.count).toBe(621);
});

describeOnSqlite('a planned change', () => {
  it('can be cancelled before it is part of a payment, and members are told again', async () => {
    await me.buy('monthly');
    const { changes } = await plan();
    await takeMails('');
    const id = changes[0]?.id ?? '';
    expect((await cancel(id)).json<Prices>().changes).toMatchObject([{ state: 'cancelled' }]);
    const [mail] = await takeMails('price');
    expect(mail?.subject).toBe('The price of your Weekender Premium stays the same');
    expect(mail?.text).toContain('it stays R79 a month');
    expect((await me.subscription()).priceChange).toBeNull();
    expect((await cancel(id)).json<ErrorBody>().code).toBe('price_change_started');
    await passTo('2027-01-16');
    expect(await amounts()).toEqual([79_00, 79_00, 79_00]);
    expect((await read()).monthly).toBe(79_00);
  });

  it('can’t be cancelled once a payment has the new price', async () => {
    await me.buy('monthly');
    const { changes } = await plan({ startsAt: toTime('2027-01-14') });
    await passTo('2027-01-16');
    expect(await read()).toMatchObject({ changes: [{ applied: 1, canCancel: false }] });
    const response = await cancel(changes[0]?.id ?? '');
    expect([response.statusCode, response.json<ErrorBody>().code]).toEqual([
      409,
      'price_change_started',
    ]);
  });

  it.each([
    ['a date in the past', { startsAt: toTime('2026-11-14') }, 'startsAt'],
    ['a date in many years', { startsAt: toTime('2036-11-14') }, 'startsAt'],
    ['no date', { startsAt: null }, 'startsAt'],
    ['a price below the provider’s minimum', { amount: 99 }, 'amount'],
    ['a negative price', { amount: -1 }, 'amount'],
    ['too short a notice', { noticeDays: 3 }, 'noticeDays'],
  ])('is refused with %s', async (_what, values, field) => {
    const { code, fields } = await refuse(values);
    expect(code).toBe('validation_failed');
    expect(Object.keys(fields ?? {}).join()).toContain(field);
    expect((await read()).changes).toEqual([]);
  });

  it('is refused while another one is planned for the plan', async () => {
    await plan();
    expect((await refuse({ amount: 109_00 })).code).toBe('price_change_pending');
    expect((await plan({ plan: 'annual', amount: 990_00 })).changes).toHaveLength(2);
  });

  it('is only for administrators, and in the audit log', async () => {
    const url = '/api/admin/prices/changes';
    const stranger = await member.client.request({ method: 'POST', url, payload: input() });
    expect(stranger.statusCode).toBe(404);
    const { changes } = await plan();
    test.clock.advance(HOUR);
    await cancel(changes[0]?.id ?? '');
    const audit = await admin.client.request({ url: '/api/admin/audit?kind=price' });
    expect(audit.json<Page<AuditEntry>>().items.map(({ action }) => action)).toEqual([
      'price-change.cancelled',
      'price-change.planned',
    ]);
  });
});

describe('a change after another one that a member was told about', () => {
  const hopTo = (day: string) => passTo(day, 4 * DAY);

  /** Told now, in force on 10 December, but for this member not before 15 February. */
  const announce = async () => {
    await me.buy('monthly');
    await plan({ startsAt: toTime('2026-12-10'), noticeDays: 90 });
    await test.worker.runDue();
    await hopTo('2026-12-11');
    await takeMails('');
  };

  itOnSqlite(
    'takes the earlier one back if it is the price that the member still pays',
    async () => {
      await announce();
      await plan({ amount: 79_00, startsAt: toTime('2026-12-20') });
      const [mail] = await takeMails('price');
      expect(mail?.text).toContain('your monthly plan costs R79 instead of R99 a month.');
      expect((await me.subscription()).priceChange).toBeNull();
      await hopTo('2027-03-16');
      expect(await amounts()).toEqual([79_00, 79_00, 79_00, 79_00, 79_00]);
    },
  );

  itOnSqlite(
    'needs no second notice for a smaller rise, but comes no earlier than the first one',
    async () => {
      await announce();
      await plan({ amount: 89_00, startsAt: toTime('2026-12-20'), noticeDays: 365 });
      const [mail] = await takeMails('price');
      expect(mail?.text).toContain('From 15 February 2027 your monthly plan costs R89 instead of');
      await hopTo('2027-02-16');
      expect(await amounts()).toEqual([79_00, 79_00, 79_00, 89_00]);
    },
  );

  /** Told now, but no mail about it ever arrives. */
  const announceInVain = async () => {
    await me.buy('monthly');
    await takeMails('');
    isMailDown = true;
    await plan({ startsAt: toTime('2026-12-10') });
    await hopTo('2026-12-30');
    // Given up after days.
    const { db } = test.deps.database;
    await db.deleteFrom('jobs').where('name', '=', 'send-billing-message').execute();
  };

  it('is never charged while neither mail arrives, although the earlier rise was larger', async () => {
    await announceInVain();
    await plan({ amount: 89_00, startsAt: toTime('2027-01-02') });
    await hopTo('2027-03-16');
    expect(await amounts()).toEqual([79_00, 79_00, 79_00, 79_00, 79_00]);
  });

  it('has its whole notice, from the price that the member knows, if no mail told of the earlier one', async () => {
    await announceInVain();
    isMailDown = false;
    await plan({ amount: 89_00, startsAt: toTime('2027-01-02') });
    const [mail] = await takeMails('price');
    expect(mail?.text).toContain(
      'From 15 February 2027 your monthly plan costs R89 instead of R79 a month.',
    );
    await hopTo('2027-02-16');
    expect(await amounts()).toEqual([79_00, 79_00, 79_00, 89_00]);
  });

  it('says that the price stays if it takes back one that no mail told of, as far as we know', async () => {
    await announceInVain();
    isMailDown = false;
    await plan({ amount: 79_00, startsAt: toTime('2027-01-02') });
    const [mail] = await takeMails('price');
    expect(mail?.text).toContain('it stays R79 a month');
    await hopTo('2027-03-16');
    expect(await amounts()).toEqual([79_00, 79_00, 79_00, 79_00, 79_00]);
  });

  it('leaves the earlier one in force when it is cancelled', async () => {
    await announce();
    const { changes } = await plan({ amount: 109_00, startsAt: toTime('2027-02-01') });
    const [told] = await takeMails('price');
    expect(told?.text).toContain('your monthly plan costs R109 instead of R99 a month.');
    await cancel(changes[0]?.id ?? '');
    const [mail] = await takeMails('price');
    expect(mail?.text).toContain('it stays R99 a month');
    await hopTo('2027-02-16');
    expect(await amounts()).toEqual([79_00, 79_00, 79_00, 99_00]);
  });

  itOnSqlite('is shown after the earlier one if it starts later', async () => {
    await announce();
    await plan({ amount: 109_00, startsAt: toTime('2027-03-01') });
    await test.worker.runDue();
    const priceChange = { amount: 99_00, oldAmount: 79_00, at: toTime('2027-02-15') };
    expect(await me.subscription()).toMatchObject({ priceChange });
    await hopTo('2027-02-16');
    expect(await me.subscription()).toMatchObject({
      priceChange: { amount: 109_00, oldAmount: 99_00, at: toTime('2027-03-15') },
    });
    await hopTo('2027-03-16');
    expect(await amounts()).toEqual([79_00, 79_00, 79_00, 99_00, 109_00]);
  });

  itOnSqlite('is all that a member pays who leaves and subscribes again at its price', async () => {
    await announce();
    await plan({ amount: 109_00, startsAt: toTime('2026-12-20') });
    await test.worker.runDue();
    await me.cancel();
    await hopTo('2027-01-20');
    await me.buy('monthly');
    await hopTo('2027-03-21');
    expect(await amounts()).toEqual([79_00, 109_00, 109_00, 109_00]);
  });
});

describe('a planned price that a member has chosen', () => {
  const refuseCancel = async (id: string | undefined) =>
    (await cancel(id ?? '')).json<ErrorBody>().code;

  it('by changing to the plan can’t be cancelled any more', async () => {
    await me.buy('monthly');
    const { changes } = await plan({
      plan: 'annual',
      amount: 990_00,
      startsAt: toTime('2026-12-01'),
    });
    expect((await me.change('annual')).nextPayment).toMatchObject({ amount: 990_00 });
    expect(await read()).toMatchObject({ changes: [{ canCancel: false }] });
    expect(await refuseCancel(changes[0]?.id)).toBe('price_change_started');
  });
});

it('is in a member’s archive, and forgets who was deleted', async () => {
  await me.buy('monthly');
  const other = await createAdmin(test, 'former.boss');
  await payingClient(test, other).call('POST', '/api/admin/prices/changes', input());
  await test.worker.runDue();
  const archive = await member.client.request({ url: '/api/me/export' });
  const rows = JSON.parse(strFromU8(unzipSync(archive.rawPayload)['billing.json']!)) as object[];
  expect(rows).toContainEqual(
    expect.objectContaining({ kind: 'price-change', amount: 99_00, oldAmount: 79_00 }),
  );
  const payload = { password: PASSWORD, confirmation: 'delete' };
  for (const { client } of [member, other])
    await client.request({ method: 'DELETE', url: '/api/me', payload });
  await test.worker.runDue();
  expect(await findTraces(test.deps.database, [member.user.id, 'thandi'])).toEqual([]);
  expect((await read()).changes).toHaveLength(1);
});
