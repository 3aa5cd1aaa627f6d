import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChangeQuote } from '#contract/billing.ts';
import { changeSettings } from '../../../db/settings.ts';
import { failure } from '../../../ports/payments/payments.ts';
import { deliverAll, payingClient, reconcile } from '../../../testing/test-payments.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser, type TestUser } from '../../../testing/test-user.ts';
import { DAY } from '#contract/rules/time.ts';

let test: TestApp;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
beforeEach(async () => {
  test = await createTestApp();
  member = await createUser(test);
  me = payingClient(test, member);
});
afterEach(() => test.close());

const post = (url: string, payload: object) =>
  member.client.request({ method: 'POST', url, payload });
const statusOf = async (id: string) =>
  (await test.deps.payments.getProviderSubscription(id)).providerSubscription.status;

/** A provider that creates a new subscription for another plan, and may stop before ending the old one. */
function replaceOnChange() {
  const { payments, database } = test.deps;
  const provider = { isStopped: false, made: [] as string[] };
  Object.assign(payments, {
    changePlan: async (change: Parameters<typeof payments.changePlan>[0]) => {
      const { providerSubscriptionId, plan, amount, startsAt } = change;
      const old = await database.db
        .selectFrom('sandbox_subscriptions')
        .selectAll()
        .where('id', '=', providerSubscriptionId)
        .executeTakeFirstOrThrow();
      const id = `agr_made_${provider.made.length}`;
      await database.db
        .insertInto('sandbox_subscriptions')
        .values({
          ...old,
          id,
          plan,
          status: 'active',
          renewal_amount: amount,
          next_amount: amount,
          next_charge_at: startsAt,
          due_at: startsAt,
        })
        .execute();
      provider.made.push(id);
      if (provider.isStopped) throw failure('Broken off.');
      await payments.cancelAtPeriodEnd(providerSubscriptionId);
      return { providerSubscriptionId: id };
    },
  });
  return provider;
}

describe('a plan change that stops after creating the new subscription', () => {
  it.each([
    ['the next look', () => reconcile(test)],
    ['asking once more', () => me.change('annual')],
  ])('leaves one renewing subscription: the old one is ended by %s', async (_name, heal) => {
    const provider = replaceOnChange();
    await me.buy('monthly');
    const old = await me.providerSubscriptionId();
    provider.isStopped = true;
    test.clock.advance(DAY);
    expect((await post('/api/subscription/change', { plan: 'annual' })).statusCode).toBe(503);
    expect(await statusOf(old)).toBe('active');
    // Found before anything repairs it.
    test.clock.advance(2 * DAY);
    await me.call('POST', `/api/checkout/${(await readReferences())[0]}/confirm`);
    await deliverAll(test);
    provider.isStopped = false;
    await heal();
    expect([await statusOf(old), provider.made.length]).toEqual(['ending', 1]);
    expect(await statusOf(provider.made[0]!)).toBe('active');
    expect(await me.subscription()).toMatchObject({ status: 'active', plan: 'annual' });
    test.clock.advance(40 * DAY);
    await test.sandbox.renewDue();
    await deliverAll(test);
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([79_00, 790_00]);
  });

  it('is cancelled together with the subscription we did not know yet', async () => {
    const provider = replaceOnChange();
    await me.buy('monthly');
    provider.isStopped = true;
    await post('/api/subscription/change', { plan: 'annual' });
    expect((await me.cancel()).status).toBe('cancelled');
    await deliverAll(test);
    expect(await statusOf(provider.made[0]!)).toBe('ending');
    expect(await statusOf(await firstProviderSubscription())).toBe('ending');
  });
});

const readReferences = async () => {
  const rows = await test.deps.database.db.selectFrom('checkouts').select('reference').execute();
  return rows.map(({ reference }) => reference);
};
const firstProviderSubscription = async () => {
  const row = await test.deps.database.db
    .selectFrom('provider_subscriptions')
    .select('provider_subscription_id')
    .where('reference', 'is not', null)
    .executeTakeFirstOrThrow();
  return row.provider_subscription_id;
};

it('refunds a checkout from before a plan change that is paid after it', async () => {
  replaceOnChange();
  const stale = await me.begin('monthly');
  test.clock.advance(DAY / 2);
  const annual = await me.begin('annual');
  await test.sandbox.pay(annual.checkoutId, { card: 'success' });
  await me.confirm(annual.reference);
  await me.change('monthly');
  test.clock.advance(60_000);
  await test.deps.database.db
    .updateTable('sandbox_checkouts')
    .set({ state: 'open' })
    .where('id', '=', stale.checkoutId)
    .execute();
  await test.sandbox.pay(stale.checkoutId, { card: 'success' });
  await deliverAll(test);
  await reconcile(test);
  await reconcile(test);
  expect(await me.ledger()).toEqual(expect.arrayContaining(['duplicate', 'refund']));
  const renewing = await test.deps.database.db
    .selectFrom('sandbox_subscriptions')
    .select('id')
    .where('status', '=', 'active')
    .execute();
  expect(renewing).toHaveLength(1);
});

it('assigns the new subscription to the user who changed plans, even if another shares the customer', async () => {
  const provider = replaceOnChange();
  const other = payingClient(test, await createUser(test, 'lerato'));
  await other.buy('monthly');
  await me.buy('monthly');
  const { db } = test.deps.database;
  for (const table of ['sandbox_subscriptions', 'sandbox_charges', 'sandbox_checkouts'] as const)
    await db.updateTable(table).set({ customer_id: 'cus_shared' }).execute();
  for (const table of ['provider_subscriptions', 'checkouts'] as const)
    await db.updateTable(table).set({ customer_id: 'cus_shared' }).execute();
  expect(await me.change('annual')).toMatchObject({ plan: 'annual', status: 'active' });
  test.clock.advance(31 * DAY);
  await test.sandbox.renewDue();
  await deliverAll(test);
  await reconcile(test);
  expect(provider.made).toHaveLength(1);
  expect((await me.charges()).map(({ amount }) => amount)).toEqual([79_00, 790_00]);
  expect((await other.subscription()).plan).toBe('monthly');
});

it('charges the amount and date that were quoted for a plan change', async () => {
  await me.buy('monthly');
  await changeSettings(
    test.deps.database.db,
    { monthlyPrice: 99_00, annualPrice: 990_00 },
    test.clock.now(),
  );
  const ask = (plan: string) =>
    me.call<ChangeQuote>('GET', `/api/subscription/change?plan=${plan}`);
  const annual = await ask('annual');
  expect(annual).toMatchObject({ amount: 990_00, at: Date.parse('2026-12-15T12:00:00Z') });
  const { nextPayment } = await me.change('annual');
  expect(nextPayment).toEqual({ plan: 'annual', amount: annual.amount, at: annual.at });
  // The current plan keeps its price.
  const stay = await ask('monthly');
  expect(stay.amount).toBe(79_00);
  expect((await me.change('monthly')).nextPayment).toMatchObject({ amount: 79_00, at: stay.at });
});
