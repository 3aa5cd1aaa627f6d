/** @module-tag both-databases */
import { afterEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { startFakePaystack } from '../../../testing/fake-paystack.ts';
import { connectPaystack, connectStripe } from '../../../testing/fake-providers.ts';
import { PAYSTACK_KEY } from '../../../testing/fake-paystack.ts';
import {
  startFakeStripe,
  STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET,
} from '../../../testing/fake-stripe.ts';
import {
  EACH_STEP,
  killAt,
  killAtEachStep,
  Killed,
  type KillStep,
} from '../../../testing/kill-process.ts';
import { firstOnPostgres, itOnSqlite } from '../../../testing/on-sqlite.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { payingClient, runSchedule } from '../../../testing/test-payments.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';
import { runAdminCommand } from '../../console/service.ts';

const PROVIDERS = ['paystack', 'stripe'] as const;
type Provider = (typeof PROVIDERS)[number];

const utc = (text: string) => Date.parse(`${text}T12:00:00Z`);

const PLAN = { paystack: 'PLN_monthly', stripe: 'price_monthly' };
const END = { paystack: 'POST /subscription/disable', stripe: /^DELETE / };
const CHARGES = /^POST \/(transaction\/charge_authorization|v1\/payment_intents)/;

/** What both companies are told in the same words. */
async function startFake(provider: Provider, clock: { now: () => number }) {
  if (provider === 'paystack') {
    const fake = await startFakePaystack(clock);
    return {
      fake,
      settings: { provider, api: fake.origin, secretKey: PAYSTACK_KEY } as const,
      payments: connectPaystack(fake, clock),
      subscribe: (email: string, change: { planId?: string; amount?: number } = {}) => {
        const { planId = PLAN.paystack, amount = 79_00 } = change;
        const made = fake.subscribe(email, { plan_code: planId, amount });
        return {
          id: made.subscription_code,
          readStatus: () => made.status,
          isEnded: () => made.status === 'non-renewing' || made.status === 'cancelled',
          setAmount: (cents: number) => void (made.plan.amount = cents),
          endThere: () => void (made.status = 'non-renewing'),
          chargeAnyway: () => fake.chargeAnyway(made),
        };
      },
      /** Payments that the company made itself, and those that we asked for. */
      countPayments: () => {
        const paid = fake.transactions.filter(({ paidAt }) => paidAt !== null);
        const ours = paid.filter(({ reference }) => reference.startsWith('wk-'));
        return { theirs: paid.length - ours.length, ours: ours.length };
      },
      decline: (email: string) => fake.setBankAnswer(email, 'declines'),
    };
  }
  const fake = await startFakeStripe(clock);
  return {
    fake,
    settings: {
      provider,
      api: fake.origin,
      secretKey: STRIPE_KEY,
      webhookSecret: STRIPE_WEBHOOK_SECRET,
    } as const,
    payments: connectStripe(fake, clock),
    subscribe: (email: string, change: { planId?: string; amount?: number } = {}) => {
      const { planId = PLAN.stripe, amount = 79_00 } = change;
      const made = fake.subscribe(email, { id: planId, amount });
      return {
        id: made.id,
        readStatus: () => String(made.status),
        isEnded: () => made.status === 'canceled',
        setAmount: (cents: number) => void (made.price.amount = cents),
        endThere: () => void (made.status = 'canceled'),
        chargeAnyway: () => fake.chargeAnyway(made),
      };
    },
    countPayments: () => ({
      theirs: fake.invoices.filter(({ paidAt }) => paidAt !== null).length,
      ours: fake.intents.filter(({ status }) => status === 'succeeded').length,
    }),
    decline: (email: string) => {
      const method = fake.methods.find((found) => found.email === email);
      fake.setBankAnswer(method?.id ?? '', 'declines');
    },
  };
}

let test: TestApp;
let company: Awaited<ReturnType<typeof startFake>>;
let member: TestUser;
let me: ReturnType<typeof payingClient>;

async function open(provider: Provider) {
  const clock = { now: (): number => test.clock.now() };
  company = await startFake(provider, clock);
  const { payments, settings } = company;
  test = await createTestApp({ payments, config: { payments: settings } });
  member = await createUser(test);
  me = payingClient(test, member);
}
const close = async () => {
  await test.close();
  await company.fake.close();
};
afterEach(close);

const run = (command: string) =>
  runAdminCommand(test.deps, command.split(' '), { askPassword: null });

/** Every day the company charges what is due, and our jobs run, every day or less often. */
async function pass(days: number, everyDays = 1) {
  for (let day = 1; day <= days; day += 1) {
    test.clock.advance(DAY);
    company.fake.chargeSubscriptions();
    if (day % everyDays > 0) continue;
    await runSchedule(test, 'come-over', 'renew-due');
  }
}

const readOurs = () =>
  test.deps.database.db.selectFrom('subscriptions').selectAll().executeTakeFirst();

/** A member who pays the company on the 15th, after so many days in shadow. */
async function openShadow(provider: Provider, days: number, everyDays = 1) {
  await open(provider);
  const theirs = company.subscribe('thandi@example.com');
  test.clock.advance(HOUR);
  await run(`coming-over shadow ${PLAN[provider]}`);
  await pass(days, everyDays);
  return theirs;
}

describe.each(firstOnPostgres(PROVIDERS))('a subscription that %s charges itself', (provider) => {
  it('is listed with its member, who is never guessed', async () => {
    await open(provider);
    await createUser(test, 'lerato', { isEmailVerified: false });
    await createUser(test, 'sipho');
    const ids = ['Thandi@example.com', 'lerato@example.com', 'nobody@example.com'].map(
      (email) => company.subscribe(email).id,
    );
    const shirts = company.subscribe('thandi@example.com', { planId: 'shirts', amount: 250_00 });
    const twice = ['first', 'second'].map(() => company.subscribe('sipho@example.com').id);
    const said = (await run('coming-over list')).split('\n');
    const lineOf = (id = '') => said.find((line) => line.startsWith(`${id}  `));
    expect(lineOf(ids[0])).toBe(
      `${ids[0]}  ${PLAN[provider]}  R79  15 December 2026  thandi  can come over`,
    );
    expect(lineOf(ids[1])).toContain('The account with its address hasn’t confirmed it.');
    expect(lineOf(ids[2])).toContain('nobody@example.com  No account has its address.');
    for (const id of twice) expect(lineOf(id)).toContain('The member has several there.');
    expect(lineOf(shirts.id)).toContain('  shirts  R250  ');
    expect(said.join()).not.toMatch(/AUTH_|pm_/);

    await run(`coming-over shadow ${PLAN[provider]}`);
    const rows = await test.deps.database.db
      .selectFrom('coming_subscriptions')
      .select(['provider_subscription_id', 'user_id'])
      .execute();
    expect(rows).toEqual([{ provider_subscription_id: ids[0], user_id: member.user.id }]);
  });

  it('is only compared in shadow, and what is paid there counts here', async () => {
    const theirs = await openShadow(provider, 27);
    expect(await run('coming-over take-over')).toContain('Its month in shadow isn’t over');
    await pass(6);
    expect(await run('coming-over compare')).toBe(
      `${theirs.id}  can be taken over  next R79 on 15 January 2027  renewals that were the same: 1`,
    );
    expect(await me.subscription()).toMatchObject({
      hasAccess: true,
      renews: false,
      paidThrough: utc('2027-01-15'),
    });
    expect(company.fake.seen.filter((line) => CHARGES.test(line))).toEqual([]);
    expect(theirs.readStatus()).toBe('active');
    expect(await readOurs()).toBeUndefined();
    expect(company.countPayments()).toEqual({ theirs: 2, ours: 0 });
  });

  itOnSqlite('is compared to the cent, and stays there until a month was the same', async () => {
    const theirs = await openShadow(provider, 20);
    theirs.setAmount(79_01);
    await pass(20);
    expect(await run('coming-over compare')).toContain(
      'The provider charged R79.01 on 15 December 2026; we would have charged R79.00 on 15 December 2026.',
    );
    expect(await run('coming-over take-over')).toContain('something differed');
    expect(theirs.readStatus()).toBe('active');
    const { db } = test.deps.database;
    const listIssues = () =>
      db.selectFrom('payment_issues').select(['kind', 'reference', 'closed_at']).execute();
    const issue = { kind: 'shadow-differs', reference: theirs.id, closed_at: null };
    expect(await listIssues()).toEqual([issue]);
    await pass(30);
    expect(await run('coming-over take-over')).toBe(`${theirs.id}  taken over`);
    expect(await readOurs()).toMatchObject({ amount: 79_01, next_at: utc('2027-02-15') });
    expect(await listIssues()).toEqual([{ ...issue, closed_at: test.clock.now() }]);
    const audit = await db.selectFrom('audit_log').select(['via', 'action', 'after']).execute();
    expect(audit).toContainEqual({
      via: 'console',
      action: 'coming-over.run',
      after: '{"command":"take-over"}',
    });
  });

  itOnSqlite(
    'lists a payment that the provider didn’t make, and isn’t taken over while it is owed',
    async () => {
      const theirs = await openShadow(provider, 20);
      company.decline('thandi@example.com');
      await pass(15);
      expect(await run('coming-over compare')).toContain(
        'Nothing was charged; we would have charged R79.00 on 15 December 2026.',
      );
      expect(await run(`coming-over take-over-now ${theirs.id}`)).toContain(
        'isn’t simply renewing',
      );
      expect(theirs.isEnded()).toBe(false);
      expect(await readOurs()).toBeUndefined();
    },
  );

  it('is ended there before ours charges, on the same day and once a month', async () => {
    const theirs = await openShadow(provider, 33);
    expect(await run('coming-over take-over')).toBe(`${theirs.id}  taken over`);
    expect(theirs.isEnded()).toBe(true);
    expect(await me.subscription()).toMatchObject({
      status: 'active',
      plan: 'monthly',
      nextPayment: { at: utc('2027-01-15'), amount: 79_00 },
      card: { brand: 'visa' },
    });
    const mails = await test.deps.database.db.selectFrom('sent_messages').select('key').execute();
    expect(mails.map(({ key }) => key)).toContainEqual(expect.stringContaining('came-over:'));
    await pass(70);
    expect(company.countPayments()).toEqual({ theirs: 2, ours: 2 });
    expect(await readOurs()).toMatchObject({ next_at: utc('2027-03-15'), status: 'active' });
    expect((await me.invoices()).map(({ amount }) => amount)).toEqual([79_00, 79_00]);
  });

  itOnSqlite(
    'is taken over earlier only if the operator names it, and not just before a payment',
    async () => {
      const theirs = await openShadow(provider, 3);
      expect(await run('coming-over take-over')).toContain('Its month in shadow isn’t over');
      await pass(26);
      expect(await run(`coming-over take-over-now ${theirs.id}`)).toContain('within two days');
      await pass(2);
      expect(await run(`coming-over take-over-now ${theirs.id}`)).toBe(`${theirs.id}  taken over`);
      await pass(40);
      expect(company.countPayments()).toEqual({ theirs: 2, ours: 1 });
    },
  );

  itOnSqlite('keeps its member from buying another one here meanwhile', async () => {
    await openShadow(provider, 5);
    const payload = { plan: 'monthly' };
    const answer = await member.client.request({ method: 'POST', url: '/api/checkout', payload });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([
      409,
      'already_subscribed',
    ]);
  });

  itOnSqlite('is left alone when the member has ended it there', async () => {
    const theirs = await openShadow(provider, 5);
    theirs.endThere();
    expect(await run(`coming-over take-over-now ${theirs.id}`)).toContain('It has ended there.');
    await pass(40);
    expect(await readOurs()).toBeUndefined();
    expect(company.countPayments()).toEqual({ theirs: 1, ours: 0 });
  });

  it('is left ended when the member ends it there before we have', async () => {
    const theirs = await openShadow(provider, 5);
    company.fake.setFault('down', END[provider]);
    await expect(run(`coming-over take-over-now ${theirs.id}`)).rejects.toThrow('isn’t responding');
    company.fake.setFault(null);
    theirs.endThere();
    await runSchedule(test, 'come-over');
    expect(await run('coming-over compare')).toBe('Nothing is in shadow.');
    expect(await readOurs()).toBeUndefined();
  });

  itOnSqlite('is left ended when the member ends it there in the moment before we do', async () => {
    const theirs = await openShadow(provider, 5);
    const { fetch } = globalThis;
    globalThis.fetch = async (...request) => {
      const row = await test.deps.database.db
        .selectFrom('coming_subscriptions')
        .select('state')
        .executeTakeFirst();
      if (row?.state === 'ending') theirs.endThere();
      return fetch(...request);
    };
    try {
      const said = await run(`coming-over take-over-now ${theirs.id}`);
      expect(said).toContain('It has ended there.');
    } finally {
      globalThis.fetch = fetch;
    }
    await pass(40);
    expect(await readOurs()).toBeUndefined();
    expect(company.countPayments()).toEqual({ theirs: 1, ours: 0 });
  });

  it('is compared although another one can’t be', async () => {
    await open(provider);
    await createUser(test, 'lerato');
    const bad = company.subscribe('thandi@example.com');
    const good = company.subscribe('lerato@example.com');
    test.clock.advance(HOUR);
    await run(`coming-over shadow ${PLAN[provider]}`);
    const { db } = test.deps.database;
    await db
      .updateTable('coming_subscriptions')
      .set({ differences: 'not JSON' })
      .where('provider_subscription_id', '=', bad.id)
      .execute();
    bad.setAmount(80_00);
    await pass(31);
    const rows = await db
      .selectFrom('coming_subscriptions')
      .select(['provider_subscription_id as id', 'equal_renewals'])
      .execute();
    expect(rows).toContainEqual({ id: good.id, equal_renewals: 1 });
    expect(rows).toContainEqual({ id: bad.id, equal_renewals: 0 });
  });

  it('is never charged beside one that the member buys here', async () => {
    const theirs = await openShadow(provider, 5);
    const buy = async () => {
      const { reference } = await me.begin('monthly');
      company.fake.pay(reference);
      await me.confirm(reference);
    };
    company.fake.setFault('lost', END[provider]);
    await expect(run(`coming-over take-over-now ${theirs.id}`)).rejects.toThrow('isn’t responding');
    company.fake.setFault(null);
    await buy();
    await runSchedule(test, 'come-over');
    expect(await readOurs()).toMatchObject({ status: 'trial', next_at: utc('2026-12-15') });
    await pass(30);
    expect(await me.charges()).toHaveLength(1);

    const again = company.subscribe('thandi@example.com');
    expect(await run(`coming-over shadow ${PLAN[provider]}`)).toContain(
      `${again.id}  ${PLAN[provider]}  R79`,
    );
    expect(await run('coming-over compare')).toBe('Nothing is in shadow.');
  });

  itOnSqlite('charges once a month although it can’t be ended for weeks', async () => {
    const theirs = await openShadow(provider, 5);
    company.fake.setFault('down', END[provider]);
    await expect(run(`coming-over take-over-now ${theirs.id}`)).rejects.toThrow('isn’t responding');
    await pass(35);
    expect(company.countPayments()).toEqual({ theirs: 2, ours: 0 });
    expect(await readOurs()).toBeUndefined();
    company.fake.setFault(null);
    await run(`coming-over take-over-now ${theirs.id}`);
    expect(await readOurs()).toMatchObject({ next_at: utc('2027-01-15') });
    await pass(30);
    expect(company.countPayments()).toEqual({ theirs: 2, ours: 1 });
  });

  itOnSqlite('gives the time of a payment that it makes while it is ended', async () => {
    const theirs = await openShadow(provider, 5);
    company.fake.setFault('lost', END[provider]);
    await expect(run(`coming-over take-over-now ${theirs.id}`)).rejects.toThrow('isn’t responding');
    expect(theirs.isEnded()).toBe(true);
    company.fake.setFault(null);
    theirs.chargeAnyway();
    await runSchedule(test, 'come-over');
    expect(await readOurs()).toMatchObject({ next_at: utc('2027-01-15') });
  });

  it('is ended there when the member’s account is deleted', async () => {
    const theirs = await openShadow(provider, 5);
    const payload = { password: PASSWORD, confirmation: 'delete' };
    const answer = await member.client.request({ method: 'DELETE', url: '/api/me', payload });
    expect(answer.statusCode).toBe(204);
    await pass(40);
    expect(theirs.isEnded()).toBe(true);
    expect(await readOurs()).toBeUndefined();
    expect(company.countPayments()).toEqual({ theirs: 1, ours: 0 });
  });

  itOnSqlite('changes nothing while our key is refused', async () => {
    const theirs = await openShadow(provider, 33);
    for (const fault of ['unauthorized', 'missing'] as const) {
      company.fake.setFault(fault);
      await expect(run('coming-over take-over')).rejects.toThrow('isn’t responding');
      await runSchedule(test, 'come-over');
    }
    company.fake.setFault(null);
    expect(theirs.readStatus()).toBe('active');
    expect(await run('coming-over compare')).toContain('can be taken over');
  });

  /** Dead after so many requests: what they did is done. */
  function killAtRequest(step: KillStep) {
    const { fetch } = globalThis;
    let count = 0;
    globalThis.fetch = async (...request) => {
      count += 1;
      if (count < step.count) return fetch(...request);
      if (count === step.count && step.isAfter) await fetch(...request);
      throw new Killed('The process was killed.');
    };
    return {
      restart: () => {
        globalThis.fetch = fetch;
        return count >= step.count;
      },
    };
  }

  itOnSqlite.each([
    ['transaction', (step: KillStep) => killAt(test.deps.database, step)],
    ['request', killAtRequest],
  ])(
    'charges once a month wherever the process dies, before and after every %s',
    async (_what, kill) => {
      const openReady = () => openShadow(provider, 33, 11);
      await openReady();
      await killAtEachStep(
        async () => {
          await close();
          await openReady();
        },
        async (step) => {
          const { restart } = kill(step);
          await run('coming-over take-over').catch(() => undefined);
          const wasKilled = restart();
          await run('coming-over take-over');
          await pass(30, 10);
          expect(company.countPayments()).toEqual({ theirs: 2, ours: 1 });
          expect(await readOurs()).toMatchObject({ status: 'active', next_at: utc('2027-02-15') });
          return wasKilled;
        },
      );
    },
    EACH_STEP.timeout,
  );
});

describe('the dry run of renewals', () => {
  it('says whom the site would charge, when and how much, and changes nothing', async () => {
    await openShadow('paystack', 33);
    await run('coming-over take-over');
    expect(await run('renewals 20')).toBe('Charges: 0, R0 in all, at most 500 an hour.');
    expect(await run('renewals 28')).toBe(
      '15 January 2027  R79  monthly  thandi\nCharges: 1, R79 in all, at most 500 an hour.',
    );
    expect(company.countPayments()).toEqual({ theirs: 2, ours: 0 });
    await expect(run('renewals 29')).rejects.toThrow('Usage:');
  });
});

it('wants a command that it knows', async () => {
  await open('paystack');
  for (const command of ['coming-over', 'coming-over shadow', 'coming-over list x'])
    await expect(run(command)).rejects.toThrow('Usage:');
});
