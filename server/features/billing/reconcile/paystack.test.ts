import { afterEach, beforeEach, expect, it } from 'vitest';
import { startFakePaystack, type FakePaystack } from '../../../testing/fake-paystack.ts';
import { connectPaystack } from '../../../testing/fake-providers.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser, type TestUser } from '../../../testing/test-user.ts';
import { payingClient, reconcile } from '../../../testing/test-payments.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

let test: TestApp;
let fake: FakePaystack;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
const clock = { now: () => test.clock.now() };

beforeEach(async () => {
  fake = await startFakePaystack(clock);
  test = await createTestApp({ payments: connectPaystack(fake, clock) });
  member = await createUser(test);
  me = payingClient(test, member);
  const { reference } = await me.begin('monthly');
  fake.pay(reference);
  await me.confirm(reference);
});
afterEach(async () => {
  await test.close();
  await fake.close();
});

const pass = (ms: number) => {
  test.clock.advance(ms);
  fake.passTo(test.clock.now());
};
const listStatuses = () => fake.subscriptions.map(({ status }) => status);
const listTaken = () =>
  fake.transactions.filter(({ status }) => status === 'success').map(({ amount }) => amount);

it('keeps a resumed member on the same dates, without a second payment', async () => {
  const before = await me.subscription();
  pass(3 * DAY);
  await me.cancel();
  pass(DAY);
  expect(await me.resume()).toMatchObject({
    status: 'active',
    plan: 'monthly',
    paidThrough: before.paidThrough,
    nextPayment: before.nextPayment,
  });
  pass(27 * DAY);
  await reconcile(test);
  expect(await me.charges()).toHaveLength(2);
  expect(listTaken()).toEqual([7900, 7900]);
  expect(await me.ledger()).not.toContain('duplicate');
  expect(await me.subscription()).toMatchObject({ status: 'active', plan: 'monthly' });
});

it('goes to another plan and back before the date, and pays the old plan', async () => {
  await me.change('annual');
  expect(await me.subscription()).toMatchObject({ plan: 'monthly', nextPlan: 'annual' });
  await me.change('monthly');
  expect(await me.subscription()).toMatchObject({
    status: 'active',
    plan: 'monthly',
    nextPlan: null,
    nextPayment: { amount: 7900, plan: 'monthly' },
  });
  pass(31 * DAY);
  await reconcile(test);
  expect(listTaken()).toEqual([7900, 7900]);
  expect((await me.charges()).map(({ amount }) => amount)).toEqual([7900, 7900]);
  expect(await me.ledger()).not.toContain('duplicate');
});

it.each(['down', 'lost', 'error'] as const)(
  'finishes a change whose old subscription could not be switched off (%s), though nobody asks again',
  async (fault) => {
    fake.setFault(fault, 'POST /subscription/disable');
    const { statusCode } = await member.client.request({
      method: 'POST',
      url: '/api/subscription/change',
      payload: { plan: 'annual' },
    });
    expect(statusCode).toBe(503);
    fake.setFault(null);
    for (const _ of [1, 2]) {
      pass(2 * HOUR);
      await reconcile(test);
    }
    expect(listStatuses()).toEqual(['non-renewing', 'active']);
    expect(await me.subscription()).toMatchObject({ plan: 'monthly', nextPlan: 'annual' });
    pass(31 * DAY);
    await reconcile(test);
    expect(listTaken()).toEqual([7900, 79_000]);
    expect(await me.subscription()).toMatchObject({ status: 'active', plan: 'annual' });
  },
);

it('gives back what the old subscription charged, if it could not be switched off before the date', async () => {
  fake.setFault('down', 'POST /subscription/disable');
  const change = {
    method: 'POST' as const,
    url: '/api/subscription/change',
    payload: { plan: 'annual' },
  };
  expect((await member.client.request(change)).statusCode).toBe(503);
  pass(31 * DAY);
  expect(listTaken()).toEqual([7900, 7900, 79_000]);
  fake.setFault(null);
  for (const _ of [1, 2, 3]) {
    await reconcile(test);
    pass(HOUR);
  }
  expect(listStatuses()).toEqual(['non-renewing', 'active']);
  const invoices = await me.invoices();
  expect(invoices.map(({ amount, status }) => `${amount} ${status}`).toSorted()).toEqual([
    '7900 paid',
    '7900 refunded',
    '79000 paid',
  ]);
  expect(await me.subscription()).toMatchObject({ status: 'active', plan: 'annual' });
});

it('leaves other products of the same customer alone, whatever arrives about them', async () => {
  await test.worker.runDue();
  fake.drainWebhooks();
  const { email } = member.user;
  const { reference } = fake.payOther(email, 'PLN_other');
  fake.payOther(email);
  const other = fake.subscriptions[1]?.subscription_code ?? '';
  fake.updateCard(other, 'for the shop');
  fake.emptyAccount(other);
  pass(31 * DAY);
  fake.refund(reference, 100);
  fake.dispute(reference);
  for (const { headers, rawBody } of fake.drainWebhooks())
    await test.app.inject({
      method: 'POST',
      url: '/api/webhooks/paystack',
      headers,
      payload: rawBody,
    });
  await test.worker.runDue();
  await reconcile(test);
  const refunded = fake.seen.filter((line) => line === 'POST /refund');
  expect([listStatuses()[1], refunded]).toEqual(['attention', []]);
  expect(fake.seen).not.toContain('POST /subscription/disable');
  expect(await me.ledger()).not.toContain('duplicate');
  const jobs = await test.deps.database.db
    .selectFrom('jobs')
    .select(['name', 'last_error'])
    .where('name', '=', 'process-webhook-event')
    .execute();
  expect(jobs).toEqual([]);
});
