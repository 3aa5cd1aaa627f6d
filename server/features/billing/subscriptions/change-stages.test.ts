import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Subscription } from '#contract/billing.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import { EACH_STEP, killAtCall, killAtEachStep } from '../../../testing/kill-process.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { deliverAll, payingClient, reconcile } from '../../../testing/test-payments.ts';
import { createUser, type TestUser } from '../../../testing/test-user.ts';

let test: TestApp;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
async function openSite() {
  test = await createTestApp();
  member = await createUser(test);
  me = payingClient(test, member);
}
async function reopenSite() {
  await test.close();
  await openSite();
}
beforeEach(openSite);
afterEach(() => test.close());

/** What the member’s page says in a line. */
const summarize = ({ status, plan, nextPlan, nextPayment, renews }: Subscription) => [
  status,
  plan,
  nextPlan,
  nextPayment && [nextPayment.plan, nextPayment.amount, nextPayment.at],
  renews,
];
const DECEMBER = Date.parse('2026-12-15T12:00:00Z');
const monthly = ['active', 'monthly', null, ['monthly', 79_00, DECEMBER], true];
const toAnnual = ['active', 'monthly', 'annual', ['annual', 790_00, DECEMBER], true];
const cancelled = ['cancelled', 'monthly', null, null, false];

const listRenewing = async () => {
  const rows = await test.deps.database.db
    .selectFrom('sandbox_subscriptions')
    .selectAll()
    .execute();
  return rows.filter(({ status }) => status === 'active' || status === 'late');
};
const renewIn = async (days: number) => {
  test.clock.advance(days * DAY);
  await test.sandbox.renewDue();
  await deliverAll(test);
};

describe('at a provider that replaces subscriptions', () => {
  it('the page shows one subscription with its plan and next payment at each stage', async () => {
    await me.buy('monthly');
    const stages = [];
    for (const step of [
      () => me.change('annual'),
      () => me.change('monthly'),
      () => me.cancel(),
      () => me.resume(),
      () => me.change('annual'),
      () => me.cancel(),
      () => me.resume(),
    ]) {
      test.clock.advance(60 * MINUTE);
      stages.push(summarize(await step()));
      await deliverAll(test);
      expect(summarize(await me.subscription())).toEqual(stages.at(-1));
    }
    expect(stages).toEqual([toAnnual, monthly, cancelled, monthly, toAnnual, cancelled, monthly]);
    expect(await listRenewing()).toHaveLength(1);
    await renewIn(31);
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([79_00, 79_00]);
    expect(await me.ledger()).not.toContain('duplicate');
  });

  it(
    'a change that dies at any call of the provider shows the old or the new plan, and charges one',
    EACH_STEP,
    () =>
      killAtEachStep(reopenSite, async (step) => {
        await me.buy('monthly');
        test.clock.advance(DAY);
        const { restart } = killAtCall(test.deps.payments, step);
        await member.client.request({
          method: 'POST',
          url: '/api/subscription/change',
          payload: { plan: 'annual' },
        });
        const wasKilled = restart();
        expect([monthly, toAnnual]).toContainEqual(summarize(await me.subscription()));
        test.clock.advance(2 * DAY);
        await reconcile(test);
        await deliverAll(test);
        const settled = await me.subscription();
        expect([monthly, toAnnual]).toContainEqual(summarize(settled));
        expect(await listRenewing()).toHaveLength(1);
        await renewIn(40);
        const amounts = (await me.charges()).map(({ amount }) => amount);
        expect(amounts).toEqual([79_00, settled.nextPayment?.amount]);
        return wasKilled;
      }),
  );

  it(
    'a resumption that dies at any call of the provider renews once or not at all',
    EACH_STEP,
    () =>
      killAtEachStep(reopenSite, async (step) => {
        await me.buy('monthly');
        test.clock.advance(DAY);
        await me.cancel();
        const { restart } = killAtCall(test.deps.payments, step);
        await member.client.request({ method: 'POST', url: '/api/subscription/resume' });
        const wasKilled = restart();
        test.clock.advance(2 * DAY);
        await reconcile(test);
        await deliverAll(test);
        const settled = await me.subscription();
        expect([monthly, cancelled]).toContainEqual(summarize(settled));
        expect(await listRenewing()).toHaveLength(settled.renews ? 1 : 0);
        return wasKilled;
      }),
  );
});

it('cancelling covers duplicates and replaced subscriptions that would still charge', async () => {
  await me.buy('monthly');
  const { db } = test.deps.database;
  const at = await db.selectFrom('sandbox_subscriptions').selectAll().executeTakeFirstOrThrow();
  const row = await db.selectFrom('provider_subscriptions').selectAll().executeTakeFirstOrThrow();
  for (const [id, change] of [
    ['agr_double', { is_duplicate: 1 as const }],
    ['agr_old', { replaced_by: row.provider_subscription_id }],
  ] as const) {
    await db
      .insertInto('sandbox_subscriptions')
      .values({ ...at, id })
      .execute();
    const known = { ...row, id: `sandbox:${id}`, provider_subscription_id: id, ...change };
    await db.insertInto('provider_subscriptions').values(known).execute();
  }
  expect((await me.cancel()).renews).toBe(false);
  expect(await listRenewing()).toEqual([]);
  await renewIn(70);
  expect(await me.charges()).toHaveLength(1);
});

describe('a lost dispute', () => {
  const openDispute = async () => {
    await me.buy('monthly');
    const [charge] = await me.charges();
    await test.sandbox.dispute(charge?.id ?? '');
    await deliverAll(test);
    return charge?.id ?? '';
  };

  it('ends the subscription', async () => {
    const id = await openDispute();
    expect(await me.subscription()).toMatchObject({ hasAccess: false, renews: true });
    await test.sandbox.endDispute(id, 'lost');
    await deliverAll(test);
    expect(await listRenewing()).toEqual([]);
    expect((await me.subscription()).renews).toBe(false);
  });

  it('leaves it if an administrator chose to keep it', async () => {
    const id = await openDispute();
    await test.deps.database.db
      .updateTable('payment_issues')
      .set({ keeps_subscription: 1 })
      .where('charge_id', '=', id)
      .execute();
    await test.sandbox.endDispute(id, 'lost');
    await deliverAll(test);
    await reconcile(test);
    expect(await listRenewing()).toHaveLength(1);
    expect((await me.subscription()).renews).toBe(true);
  });
});
