/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { changeSettings } from '../../../db/settings.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import { failure } from '../../../ports/payments/payments.ts';
import {
  EACH_STEP,
  killAt,
  killAtCall,
  killAtEachStep,
  type KillStep,
} from '../../../testing/kill-process.ts';
import {
  openProviderSite,
  PROVIDERS,
  type ProviderSite,
} from '../../../testing/paying/provider-site.ts';
import { describeOnSqlite, firstOnPostgres, itOnSqlite } from '../../../testing/on-sqlite.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { runPaymentJobs } from '../../../testing/test-payments.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';

let site: ProviderSite;
let test: TestApp;
let member: TestUser;
let me: ReturnType<ProviderSite['payer']>;
let sent: MailMessage[];

const url = '/api/subscription/withdraw';
const withdraw = ({ client }: TestUser = member) => client.request({ method: 'POST', url });
const codeOf = async (user: TestUser = member) =>
  (await withdraw(user)).json<{ code?: string }>().code;

/** Whether the subscription goes on, and what the provider gave back. */
async function readState() {
  const { db } = test.deps.database;
  const { status } = await db
    .selectFrom('subscriptions')
    .select('status')
    .orderBy('started_at', 'desc')
    .executeTakeFirstOrThrow();
  const payments = await db
    .selectFrom('payments')
    .select(['reference', 'provider_id'])
    .where('state', '=', 'paid')
    .where('kind', '<>', 'card-check')
    .execute();
  const states = await Promise.all(
    payments.map((row) => test.deps.payments.readPayment(row.reference, row.provider_id)),
  );
  return { status, refunds: states.map(({ refunded }) => refunded) };
}

async function expectWithdrawn() {
  expect(await readState()).toEqual({ status: 'ended', refunds: [79_00] });
  expect(await me.isSubscriber()).toBe(false);
  const ledger = await me.ledger();
  expect(ledger.filter((kind) => kind === 'refund')).toHaveLength(1);
  expect(ledger.filter((kind) => kind === 'ended')).toHaveLength(1);
  expect(await me.subscription()).toMatchObject({
    renews: false,
    hasAccess: false,
    withdrawal: null,
  });
  await test.worker.runDue();
  const mails = sent.filter(({ subject }) => subject.includes('refund'));
  expect(mails.map(({ subject }) => subject)).toEqual(['Your refund from Weekender: R79']);
  expect(mails[0]?.text).toContain('You cancelled within the cooling-off period');
  expect(mails[0]?.text).toContain('CN-000001');
  // The access is over, so no one is told that it continues.
  expect(sent.filter(({ subject }) => subject.includes('cancelled'))).toEqual([]);
  const jobs = await test.deps.database.db
    .selectFrom('jobs')
    .select('name')
    .where('name', '=', 'make-refund')
    .execute();
  expect(jobs).toEqual([]);
}

/** Our own are the same with every provider. */
const TRANSACTIONS = ['transaction', (step: KillStep) => killAt(test.deps.database, step)] as const;
const CALLS = [
  'call of the provider',
  (step: KillStep) => killAtCall(test.deps.payments, step),
] as const;

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
  const reopenSite = async () => {
    await site.close();
    await openSite();
  };
  beforeEach(openSite);
  afterEach(() => site.close());

  describe('cancelling within the cooling-off period', () => {
    it('refunds the first payment in full and ends subscription and access at once', async () => {
      await me.buy('monthly');
      const until = test.clock.now() + 7 * DAY;
      expect((await me.subscription()).withdrawal).toEqual({
        amount: 79_00,
        until,
        isRequested: false,
      });
      test.clock.advance(7 * DAY - MINUTE);
      expect((await withdraw()).statusCode).toBe(200);
      await site.deliver();
      await runPaymentJobs(test);
      await expectWithdrawn();
      expect(await codeOf()).toBe('withdrawal_over');
    });

    itOnSqlite(
      'is over after the days that the operator set, and never offered with 0',
      async () => {
        await me.buy('monthly');
        test.clock.advance(7 * DAY);
        expect((await me.subscription()).withdrawal).toBeNull();
        expect(await codeOf()).toBe('withdrawal_over');
        const { db } = test.deps.database;
        await changeSettings(db, { coolingOffDays: 14 }, test.clock.now());
        expect((await me.subscription()).withdrawal).not.toBeNull();
        await changeSettings(db, { coolingOffDays: 0 }, test.clock.now());
        expect((await me.subscription()).withdrawal).toBeNull();
        expect(await codeOf()).toBe('withdrawal_over');
        expect(await readState()).toMatchObject({ status: 'active', refunds: [0] });
      },
    );

    itOnSqlite('does not count for a renewal, or for someone who never paid', async () => {
      expect(await codeOf()).toBe('withdrawal_over');
      expect((await test.app.inject({ method: 'POST', url })).statusCode).toBe(401);
      await me.buy('monthly');
      await site.pass(31 * DAY);
      expect(await me.charges()).toHaveLength(2);
      expect((await me.subscription()).withdrawal).toBeNull();
      expect(await codeOf()).toBe('withdrawal_over');
    });

    itOnSqlite('is possible once per member, also after deleting the account', async () => {
      await me.buy('monthly');
      await withdraw();
      await me.buy('monthly');
      expect((await me.subscription()).withdrawal).toBeNull();
      expect(await codeOf()).toBe('withdrawal_over');
      const payload = { password: PASSWORD, confirmation: 'delete' };
      await member.client.request({ method: 'DELETE', url: '/api/me', payload });
      await test.worker.runDue();
      const again = await createUser(test);
      await site.payer(again).buy('monthly');
      expect(await codeOf(again)).toBe('withdrawal_over');
    });

    itOnSqlite('is possible once per card, whoever uses it', async () => {
      await me.buy('monthly', 'shared');
      expect((await withdraw()).statusCode).toBe(200);
      const other = await createUser(test, 'lerato');
      await site.payer(other).buy('monthly', 'shared');
      expect(await codeOf(other)).toBe('withdrawal_over');
    });

    itOnSqlite('ends a change of plan as well, and charges nothing more', async () => {
      await me.buy('monthly');
      test.clock.advance(HOUR);
      await me.change('annual');
      expect((await me.subscription()).withdrawal).toMatchObject({ amount: 79_00 });
      expect((await withdraw()).statusCode).toBe(200);
      await site.deliver();
      expect(await me.subscription()).toMatchObject({ renews: false, hasAccess: false });
      await site.pass(40 * DAY);
      await site.pass(400 * DAY);
      await runPaymentJobs(test);
      expect((await me.charges()).map(({ amount }) => amount)).toEqual([79_00]);
      expect(await me.isSubscriber()).toBe(false);
    });

    itOnSqlite('refunds once when two tabs ask at the same time', async () => {
      await me.buy('monthly');
      const responses = await Promise.all([withdraw(), withdraw()]);
      expect(responses.map(({ statusCode }) => statusCode)).toContain(200);
      await test.worker.runDue();
      await expectWithdrawn();
    });

    itOnSqlite('leaves a gift, and ends the grace days of a trial', async () => {
      const { db } = test.deps.database;
      await changeSettings(db, { trialDays: 5 }, test.clock.now());
      await me.buy('monthly');
      await site.pass(5 * DAY + HOUR);
      expect((await me.subscription()).withdrawal).toMatchObject({ amount: 79_00 });
      await withdraw();
      expect(await me.isSubscriber()).toBe(false);

      await changeSettings(db, { trialDays: 0 }, test.clock.now());
      const other = await createUser(test, 'lerato');
      const theirs = site.payer(other);
      await theirs.buy('monthly');
      const admin = await createAdmin(test);
      const gift = { months: 1, from: 'Naledi' };
      const request = { method: 'POST', url: '/api/admin/gifts', payload: gift } as const;
      const created = (await admin.client.request(request)).json<{ url: string }>();
      await theirs.call('POST', `/api/gifts/${created.url.split('/').at(-1)}/redeem`);
      expect((await withdraw(other)).statusCode).toBe(200);
      expect(await theirs.isSubscriber()).toBe(true);
      expect(await theirs.subscription()).toMatchObject({ renews: false, hasAccess: true });
    });
  });

  describeOnSqlite('a withdrawal that is interrupted', () => {
    it('by an outage is acknowledged and completed by the job', async () => {
      await me.buy('monthly');
      const { payments } = test.deps;
      const { refund } = payments;
      Object.assign(payments, {
        refund: async () => {
          throw failure('connect ECONNREFUSED');
        },
      });
      const response = await withdraw();
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject({
        withdrawal: { amount: 79_00, until: null, isRequested: true },
      });
      // Nothing more is charged, even before the refund works.
      expect((await readState()).status).toBe('ended');
      Object.assign(payments, { refund });
      test.clock.advance(HOUR);
      await test.worker.runDue();
      await expectWithdrawn();
    });

    it('by deleting the account still refunds', async () => {
      await me.buy('monthly');
      const { payments } = test.deps;
      const { refund } = payments;
      Object.assign(payments, {
        refund: async () => {
          throw failure('connect ECONNREFUSED');
        },
      });
      expect((await withdraw()).statusCode).toBe(200);
      const payload = { password: PASSWORD, confirmation: 'delete' };
      await member.client.request({ method: 'DELETE', url: '/api/me', payload });
      Object.assign(payments, { refund });
      test.clock.advance(HOUR);
      await test.worker.runDue();
      expect(await readState()).toEqual({ status: 'ended', refunds: [79_00] });
    });

    const finish = async () => {
      test.clock.advance(2 * HOUR);
      await test.worker.runDue();
      await site.deliver();
      await runPaymentJobs(test);
      const { withdrawal } = await me.subscription();
      // Before the request was stored, nothing was promised: the member asks again.
      if (withdrawal && !withdrawal.isRequested) await withdraw();
      await expectWithdrawn();
    };

    it.each(provider === 'sandbox' ? [TRANSACTIONS, CALLS] : [CALLS])(
      'by a kill at any %s completes',
      EACH_STEP,
      (_name, kill) =>
        killAtEachStep(reopenSite, async (step) => {
          await me.buy('monthly');
          const { restart } = kill(step);
          await withdraw();
          const wasKilled = restart();
          await finish();
          expect(await me.charges()).toHaveLength(1);
          return wasKilled;
        }),
    );
  });
});
