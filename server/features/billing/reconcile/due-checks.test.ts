import { afterEach, beforeEach, expect, it } from 'vitest';
import { payingClient, reconcile } from '../../../testing/test-payments.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser } from '../../../testing/test-user.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

let test: TestApp;
let me: ReturnType<typeof payingClient>;
beforeEach(async () => {
  test = await createTestApp();
  me = payingClient(test, await createUser(test));
});
afterEach(() => test.close());

/** All webhooks get lost. */
const loseWebhooks = () => test.sandbox.drainWebhooks();

/** How often the provider is asked within some days, with a check every six hours. */
async function countRequests(days: number): Promise<number> {
  const { payments } = test.deps;
  const { listProviderSubscriptions } = payments;
  let count = 0;
  Object.assign(payments, {
    listProviderSubscriptions: async (customerId: string) => {
      count += 1;
      return listProviderSubscriptions(customerId);
    },
  });
  for (let hours = 0; hours < days * 24; hours += 6) {
    test.clock.advance(6 * HOUR);
    await reconcile(test);
  }
  Object.assign(payments, { listProviderSubscriptions });
  return count;
}

async function cancelProviderSubscription() {
  await me.buy('monthly');
  await me.cancel();
  test.clock.advance(31 * DAY);
  await test.sandbox.renewDue();
  await loseWebhooks();
  await reconcile(test);
  expect(await me.subscription()).toMatchObject({ nextPayment: null });
}

it('checks an ended subscription once a week, since a bank may still charge back', async () => {
  await cancelProviderSubscription();
  const [charge] = await me.charges();
  expect(await countRequests(14)).toBe(2);
  await test.sandbox.dispute(charge?.id ?? '');
  await loseWebhooks();
  await countRequests(8);
  expect((await me.ledger()).at(-1)).toBe('dispute');
  expect((await me.subscription()).paidThrough).toBeNull();
});

it('stops checking it once a chargeback is no longer possible', async () => {
  await cancelProviderSubscription();
  test.clock.advance(130 * DAY);
  await reconcile(test);
  expect(await countRequests(10)).toBe(0);
});

it('checks a renewing subscription once a day, and more often on the day of its payment', async () => {
  await me.buy('monthly');
  expect(await countRequests(10)).toBe(10);
  test.clock.advance(20 * DAY - 12 * HOUR);
  await reconcile(test);
  expect(await countRequests(1)).toBe(4);
});

it('asks again within a day after a fast clock was put right', async () => {
  await me.buy('monthly');
  const { db } = test.deps.database;
  const planAhead = async (table: 'provider_subscriptions' | 'checkouts', days: number) => {
    await db
      .updateTable(table)
      .set({ check_at: test.clock.now() + days * DAY })
      .execute();
    await reconcile(test);
    const rows = await db.selectFrom(table).select('check_at').execute();
    return Math.max(...rows.map(({ check_at }) => check_at ?? 0)) - test.clock.now();
  };
  expect(await planAhead('provider_subscriptions', 40)).toBeLessThanOrEqual(DAY);
  expect(await planAhead('provider_subscriptions', 3)).toBeLessThanOrEqual(DAY);
  expect(await planAhead('checkouts', 40)).toBeLessThanOrEqual(HOUR);
});
