/** @module-tag both-databases */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { changeSettings } from '../../../db/settings.ts';
import { enqueue } from '../../../jobs/queue.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import { firstOnPostgres, itOnSqlite } from '../../../testing/on-sqlite.ts';
import { EACH_STEP, killAt, killAtEachStep, type KillStep } from '../../../testing/kill-process.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import {
  openProviderSite,
  PROVIDERS,
  type ProviderSite,
} from '../../../testing/paying/provider-site.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { runPaymentJobs } from '../../../testing/test-payments.ts';
import { createUser, type TestUser } from '../../../testing/test-user.ts';
import { YEAR_NOTICE_DAYS } from './announce-ends.ts';

let site: ProviderSite;
let test: TestApp;
let member: TestUser;
let me: ReturnType<ProviderSite['payer']>;
let sent: MailMessage[];

async function announce() {
  const { db } = test.deps.database;
  const job = { name: 'announce-ends', maxAttempts: 1, encode: () => '{}' };
  await enqueue(db, job, {}, { now: 0, uniqueKey: 'schedule:announce-ends' });
  await db.updateTable('jobs').set({ run_at: 0 }).where('name', '=', 'announce-ends').execute();
  await test.worker.runDue();
  await test.worker.runDue();
}
const takeMails = async (word: string) => {
  await announce();
  return sent.splice(0).filter(({ subject }) => subject.includes(word));
};

/** Our own are the same with every provider. */
const TRANSACTIONS = ['transaction', (step: KillStep) => killAt(test.deps.database, step)] as const;
describe.each(firstOnPostgres(PROVIDERS))('with %s', (provider) => {
  const openSite = async () => {
    sent = [];
    const mail = {
      send: async (message: MailMessage) => void sent.push(message),
      close: () => undefined,
    };
    site = await openProviderSite(provider, { mail });
    test = site.test;
    member = await createUser(test);
    me = site.payer(member);
  };
  beforeEach(openSite);
  afterEach(() => site.close());

  describe('the end of a year', () => {
    it('is announced once, twelve weeks ahead, with price, date and how to cancel', async () => {
      await me.buy('annual');
      const { nextPayment } = await me.subscription();
      const endsAt = nextPayment?.at ?? 0;
      test.clock.advance(endsAt - test.clock.now() - (YEAR_NOTICE_DAYS + 1) * DAY);
      expect(await takeMails('ends on')).toEqual([]);
      test.clock.advance(DAY);
      const [notice, ...more] = await takeMails('ends on');
      expect(more).toEqual([]);
      expect(notice?.subject).toBe('Your year of Weekender Premium ends on 15 November 2027');
      for (const text of ['R790', '15 November 2027', 'renews', 'cancel', '/subscription'])
        expect(notice?.text).toContain(text);
      test.clock.advance(10 * DAY);
      expect(await takeMails('ends on')).toEqual([]);
    });

    it('is not announced for a monthly plan, a cancelled year or a trial', async () => {
      await me.buy('monthly');
      const cancelled = site.payer(await createUser(test, 'lerato'));
      await cancelled.buy('annual');
      await cancelled.cancel();
      await changeSettings(test.deps.database.db, { trialDays: 30 }, test.clock.now());
      await site.payer(await createUser(test, 'sipho')).buy('annual');
      await announce();
      expect(sent.filter(({ subject }) => subject.includes('Your year'))).toEqual([]);
      test.clock.advance(300 * DAY);
      expect((await takeMails('Your year')).filter(({ to }) => to.startsWith('lerato'))).toEqual(
        [],
      );
    });
  });

  describe('continuing monthly after a year', () => {
    const advanceToNotice = async () => {
      const endsAt = (await me.subscription()).nextPayment?.at ?? 0;
      test.clock.advance(endsAt - test.clock.now() - (YEAR_NOTICE_DAYS - 1) * DAY);
      return endsAt;
    };
    const buyYear = async () => {
      await changeSettings(test.deps.database.db, { continueMonthly: true }, test.clock.now());
      await me.buy('annual');
      await test.worker.runDue();
      sent = [];
    };
    const reopenSite = async () => {
      await site.close();
      await openSite();
      await buyYear();
    };
    beforeEach(buyYear);

    it('is announced and charges the monthly price from the end of the year', async () => {
      const endsAt = await advanceToNotice();
      const [notice, ...more] = await takeMails('ends on');
      expect(more).toEqual([]);
      expect(notice?.text).toContain('R79 a month, first charged on 15 November 2027');
      expect(notice?.text).toContain('Renew for another year');
      expect(await me.subscription()).toMatchObject({
        plan: 'annual',
        nextPlan: 'monthly',
        nextPayment: { at: endsAt, amount: 79_00, plan: 'monthly' },
      });
      await site.pass(endsAt - test.clock.now() + 1000);
      expect((await me.charges()).map(({ amount }) => amount)).toEqual([790_00, 79_00]);
      expect(await me.isSubscriber()).toBe(true);
      expect(sent.filter(({ subject }) => subject.includes('renews on'))).toEqual([]);
    });

    it('is what the member chooses: another year stays another year', async () => {
      const endsAt = await advanceToNotice();
      await announce();
      await me.change('annual');
      await announce();
      await runPaymentJobs(test);
      await announce();
      expect(await me.subscription()).toMatchObject({
        nextPlan: null,
        nextPayment: { at: endsAt, amount: 790_00, plan: 'annual' },
      });
      expect(sent.filter(({ subject }) => subject.includes('ends on'))).toHaveLength(1);
    });

    itOnSqlite.each(provider === 'sandbox' ? [TRANSACTIONS] : [])(
      'completes after a kill at any %s',
      EACH_STEP,
      (_name, kill) =>
        killAtEachStep(reopenSite, async (step) => {
          await advanceToNotice();
          const { restart } = kill(step);
          await announce().catch(() => undefined);
          const wasKilled = restart();
          test.clock.advance(DAY);
          await test.worker.runDue();
          await runPaymentJobs(test);
          await announce();
          expect(await me.subscription()).toMatchObject({ nextPlan: 'monthly' });
          // Sent again, with the same key, if the process died before it noted that it was sent.
          const notices = sent.filter(({ subject }) => subject.includes('ends on'));
          expect(new Set(notices.map(({ key }) => key)).size).toBe(1);
          expect(notices.length).toBeLessThanOrEqual(2);
          return wasKilled;
        }),
    );
  });

  itOnSqlite('tells the others although it fails for one member', async () => {
    const other = await createUser(test, 'lerato');
    await me.buy('annual');
    await site.payer(other).buy('annual');
    const { db } = test.deps.database;
    const subscriptions = db.selectFrom('subscriptions').select('user_id').orderBy('id');
    const { user_id: first } = await subscriptions.executeTakeFirstOrThrow();
    await sql`create trigger refuse before insert on sent_messages
      when new.user_id = ${sql.lit(first)}
      begin select raise(abort, 'a bad row'); end`.execute(db);
    test.clock.advance(365 * DAY - YEAR_NOTICE_DAYS * DAY + DAY);
    const told = first === member.user.id ? 'lerato@example.com' : 'thandi@example.com';
    expect((await takeMails('year')).map(({ to }) => to)).toEqual([told]);
  });

  it('tells about the end of a gift a week ahead, once, and that nothing is charged', async () => {
    const admin = await createAdmin(test);
    const created = await admin.client.request({
      method: 'POST',
      url: '/api/admin/gifts',
      payload: { months: 1, from: 'Naledi' },
    });
    const token = created.json<{ url: string }>().url.split('/').at(-1);
    await me.call('POST', `/api/gifts/${token}/redeem`);
    test.clock.advance(22 * DAY);
    expect(await takeMails('gift')).toEqual([]);
    test.clock.advance(2 * DAY);
    const [mail, ...more] = await takeMails('gift');
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Your gift of Weekender Premium ends on 15 December 2026');
    expect(mail?.text).toContain('Nothing is charged');
    test.clock.advance(DAY);
    expect(await takeMails('gift')).toEqual([]);
  });
});

it('announces the end of a year 40 to 80 business days before, whatever the public holidays', () => {
  const isHoliday = (day: Date): boolean => {
    const fixed = '01-01 03-21 04-27 05-01 06-16 08-09 09-24 12-16 12-25 12-26'.split(' ');
    const easter = '2027-03-26 2027-03-29 2028-04-14 2028-04-17 2029-03-30 2029-04-02'.split(' ');
    const text = day.toISOString();
    const before = new Date(day.getTime() - DAY);
    const isMonday = day.getUTCDay() === 1 && fixed.includes(before.toISOString().slice(5, 10));
    return fixed.includes(text.slice(5, 10)) || easter.includes(text.slice(0, 10)) || isMonday;
  };
  for (let end = Date.UTC(2027, 3, 1); end < Date.UTC(2029, 11, 31); end += DAY) {
    const days = Array.from(
      { length: YEAR_NOTICE_DAYS },
      (_, index) => new Date(end - (index + 1) * DAY),
    );
    const business = days.filter((day) => day.getUTCDay() % 6 !== 0 && !isHoliday(day));
    expect(business.length).toBeGreaterThanOrEqual(40);
    expect(business.length).toBeLessThanOrEqual(80);
  }
});
