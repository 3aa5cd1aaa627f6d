import { afterEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { buildPayment } from '../../../db/build-rows.ts';
import { changeSettings } from '../../../db/settings.ts';
import { PaymentsError } from '../../../ports/payments/payments.ts';
import { killAt, killAtCall, killAtEachStep, EACH_STEP } from '../../../testing/kill-process.ts';
import { FakeProvider } from '../../../testing/paying/fake-provider.ts';
import { KINDS, openOwnSite, type OwnSite } from '../../../testing/paying/own-site.ts';
import type { Failure } from '../../../testing/paying/random-histories.ts';
import { encryptText } from '../../../db/secrets.ts';
import { chargeSubscription } from './charge-due.ts';

let own: OwnSite;
afterEach(() => own.close());

/** A member whose first month is over. */
async function openDue(Provider: typeof FakeProvider) {
  own = await openOwnSite(Provider);
  await own.buy();
  own.test.clock.advance(31 * DAY);
}

/** The jobs run for some hours, without failures. */
async function settleAll() {
  for (let hour = 0; hour < 4; hour += 1) {
    own.test.clock.advance(HOUR);
    await own.site.work(1, null, true);
  }
}

/** One payment for the period, asked for once, and nothing in the air. */
const ONCE = { charged: 1, attempts: [1], period: 2, status: 'active', asked: 0 };

async function readOutcome() {
  const { period, status } = await own.subscription();
  const rows = [...(await own.site.readRows()).values()];
  return {
    charged: own.charged().length,
    attempts: [...own.provider.attempts.values()],
    period,
    status,
    asked: rows.filter(({ state }) => state === 'asked').length,
  };
}

const FAILURES: [string, Failure][] = [
  ['the provider is down (5xx before doing it)', { is: 'down' }],
  ['the answer is lost (time-out or 5xx after doing it)', { is: 'silent' }],
  ['our key is rejected', { is: 'rejecting-key' }],
  ['the provider’s clock is wrong', { is: 'ahead' }],
];

describe.each(KINDS)('proof 2: with $name', (Provider) => {
  it.each(FAILURES)('charges once although %s', async (_what, failure) => {
    await openDue(Provider);
    await own.site.work(1, failure);
    await settleAll();
    expect(await readOutcome()).toEqual(ONCE);
  });

  it(
    'charges once wherever the process dies, before and after every transaction',
    async () => {
      await killAtEachStep(
        async () => own.close(),
        async (step) => {
          await openDue(Provider);
          const { id } = await own.subscription();
          const { restart } = killAt(own.test.deps.database, step);
          await chargeSubscription(own.test.deps, id).catch(() => undefined);
          const wasKilled = restart();
          await settleAll();
          expect(await readOutcome()).toEqual(ONCE);
          return wasKilled;
        },
      );
    },
    EACH_STEP.timeout,
  );

  it(
    'charges once wherever the process dies, before and after every call',
    async () => {
      await killAtEachStep(
        async () => own.close(),
        async (step) => {
          await openDue(Provider);
          const { id } = await own.subscription();
          const { restart } = killAtCall(own.test.deps.payments, step);
          await chargeSubscription(own.test.deps, id).catch(() => undefined);
          const wasKilled = restart();
          await settleAll();
          expect(await readOutcome()).toEqual(ONCE);
          return wasKilled;
        },
      );
    },
    EACH_STEP.timeout,
  );

  it('proof 3: charges each period once with two workers, and a clock that jumps a month ahead and a day back', async () => {
    own = await openOwnSite(Provider, { members: 5 });
    for (let user = 0; user < 5; user += 1) await own.buy({ user });
    own.test.clock.advance(20 * DAY);
    await own.site.play({ do: 'jump', days: 30 });
    await own.site.play({ do: 'jump', days: -1 });
    for (let user = 0; user < 5; user += 1) expect(own.charged(user)).toHaveLength(1);
    own.test.clock.advance(12 * DAY);
    await own.site.work(2);
    // The clock was ahead, so that they paid early: nobody pays again before the month is over.
    for (let user = 0; user < 5; user += 1) expect(own.charged(user)).toHaveLength(1);
    own.test.clock.advance(31 * DAY);
    await own.site.work(2);
    for (let user = 0; user < 5; user += 1) expect(own.charged(user)).toHaveLength(2);
    expect([...own.provider.attempts.values()].every((count) => count === 1)).toBe(true);
  });

  it('finds a page that was paid while the site was down, also after a clock that was ahead', async () => {
    own = await openOwnSite(Provider);
    await own.act('buy', { card: 'empty' });
    await own.site.passDays(10);
    own.test.clock.advance(30 * DAY);
    await own.site.work(1, null, true);
    own.test.clock.advance(-30 * DAY);
    for (const { reference } of own.site.paymentsOf(own.site.userAt(0)))
      own.provider.pay(reference, 'pays');
    expect(own.paid()).toHaveLength(1);
    await own.site.passDays(10, true);
    await own.site.work(1, null, true);
    expect((await own.subscription()).status).toBe('active');
  });

  it('proof 4: charges once after 40 days without the site, keeps the day of the month and explains it', async () => {
    own = await openOwnSite(Provider);
    await own.buy();
    const bought = new Date(own.test.clock.now()).getUTCDate();
    const due = (await own.subscription()).next_at;
    await own.site.passDays(71, true);
    await own.site.work(1);
    await own.site.work(1);
    expect(own.charged()).toHaveLength(1);
    const until = (await own.paidThrough()) ?? 0;
    expect(new Date(until).getUTCDate()).toBe(bought);
    // Not for the time without the site: at least a month, less the ten days of being late.
    expect(until).toBeGreaterThan(own.test.clock.now() + 20 * DAY);
    expect(due).toBeLessThan(own.test.clock.now() - 40 * DAY);
    expect(await own.mails()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^late-charge:/)]),
    );
    await own.site.passDays(7);
    expect(own.charged()).toHaveLength(1);
  });
});

describe('proof 9: the brake and the switch', () => {
  /** Members who are all due, each a minute after the one before. */
  async function openManyDue(count: number) {
    own = await openOwnSite(FakeProvider, { members: 1 });
    await own.buy();
    const { db } = own.test.deps.database;
    const template = await own.subscription();
    const method = await db
      .selectFrom('payment_methods')
      .selectAll()
      .where('id', '=', template.method_id ?? '')
      .executeTakeFirstOrThrow();
    const user = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    const now = own.test.clock.now();
    const ids = Array.from(
      { length: count },
      (_, index) => `due-${String(index).padStart(4, '0')}`,
    );
    const email = await encryptText(db, 'payment-methods', user.email);
    for (const [index, id] of ids.entries()) {
      await db
        .insertInto('users')
        .values({
          ...user,
          id,
          username: id,
          username_key: id,
          username_look: id,
          email: id,
          email_key: id,
        })
        .execute();
      await db
        .insertInto('payment_methods')
        .values({ ...method, id, user_id: id, email })
        .execute();
      await db
        .insertInto('subscriptions')
        .values({ ...template, id, user_id: id, method_id: id, next_at: now + index })
        .execute();
    }
    own.test.clock.advance(DAY);
  }

  const asked = async () => {
    const rows = await own.test.deps.database.db
      .selectFrom('payments')
      .select(['subscription_id'])
      .where('asked_at', 'is not', null)
      .orderBy('subscription_id')
      .execute();
    return rows.map((row) => row.subscription_id);
  };

  it('charges at most 100 of 250 an hour, oldest first', async () => {
    await openManyDue(250);
    const { db } = own.test.deps.database;
    await changeSettings(db, { chargesPerHour: 100 }, own.test.clock.now());
    own.test.clock.advance(HOUR);
    await own.site.work(1);
    await own.site.work(1);
    expect(await asked()).toEqual(
      Array.from({ length: 100 }, (_, index) => `due-${String(index).padStart(4, '0')}`),
    );
    own.test.clock.advance(HOUR + 1);
    await own.site.work(1);
    expect(await asked()).toHaveLength(200);
    const issue = await db
      .selectFrom('payment_issues')
      .select('kind')
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    expect(issue?.kind).toBe('renewals-overdue');
  }, 120_000);

  it('charges the others although the oldest can’t be read for days', async () => {
    await openManyDue(14);
    const { database, payments, clock } = own.test.deps;
    const now = clock.now();
    const unreadable = Array.from(
      { length: 12 },
      (_, index) => `due-${String(index).padStart(4, '0')}`,
    );
    for (const id of unreadable) {
      const page = { kind: 'renewal', provider: payments.name, state: 'open' } as const;
      const facts = { amount: 79_00, currency: 'ZAR', created_at: now - DAY };
      const reference = `wk-p-${id}`;
      await database.db
        .insertInto('payments')
        .values(buildPayment({ ...page, ...facts, reference, user_id: id, subscription_id: id }))
        .execute();
    }
    const { readPayment } = payments;
    payments.readPayment = async (reference, providerId) => {
      if (reference.includes('-due-')) throw new PaymentsError('No answer.', 'temporary');
      return readPayment(reference, providerId);
    };
    await own.site.work(1);
    expect(await asked()).toEqual([]);
    own.test.clock.advance(10 * MINUTE);
    await own.site.work(1);
    expect(await asked()).toEqual(['due-0012', 'due-0013']);
  });

  it('charges nobody while the switch is off', async () => {
    await openManyDue(10);
    const { db } = own.test.deps.database;
    await changeSettings(db, { areRenewalsOn: false }, own.test.clock.now());
    own.test.clock.advance(60_000);
    await own.site.work(1);
    expect(await asked()).toEqual([]);
    await changeSettings(db, { areRenewalsOn: true }, own.test.clock.now());
    own.test.clock.advance(60_000);
    await own.site.work(1);
    expect(await asked()).toHaveLength(10);
  });
});
