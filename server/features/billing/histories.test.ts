import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyStep, createActor, History, type HistoryStep } from '../../testing/billing-history.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { startCheckout } from './checkout.ts';

/** One server for all histories: each has a member of its own, and time only goes on. */
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const HISTORIES = 40;
const LEAVERS = 10;

it('who leaves is charged no more after any history, by no page that was left open either', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 2, maxLength: 8 }), async (steps) => {
      const history = new History(test, await createActor(test));
      const begun = await startCheckout(test.deps, history.actor, { plan: 'monthly' });
      expect(begun.url).toContain('/sandbox/');
      for (const one of steps) await history.play(one);
      expect(await history.leave()).toEqual([]);
      await history.close();
    }),
    { numRuns: LEAVERS, seed: 20261121, endOnFailure: true },
  );
});

it('access is what was paid for after any history, however little of it was told and wherever the process died', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 22 }), async (steps) => {
      const history = new History(test, await createActor(test));
      const first: HistoryStep = {
        do: 'buy',
        plan: 'monthly',
        card: 'success',
        pick: 1,
        days: 1,
        dies: null,
      };
      for (const one of [first, ...steps]) {
        await history.play(one);
        // Never more than was paid, whatever is still to be heard.
        const most = (await history.model({ ignoresLosses: true })) ?? 0;
        expect((await history.stored()) ?? 0).toBeLessThanOrEqual(most);
      }
      await history.settle();
      expect(await history.stored()).toBe(await history.model());
      const { user } = history.actor;
      const invoices = await history.db
        .selectFrom('invoices')
        .select('charge_id')
        .where('user_id', '=', user.id)
        .execute();
      const charges = await history.charges();
      expect(invoices.map((row) => row.charge_id).toSorted()).toEqual(
        charges.map(({ id }) => id).toSorted(),
      );
      await history.close();
    }),
    { numRuns: HISTORIES, seed: 20261120, endOnFailure: true },
  );
  const numbers = await test.deps.database.db
    .selectFrom('invoices')
    .select('number')
    .orderBy('number')
    .execute();
  // Not one number is missing, in spite of everything that died.
  expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, index) => index + 1));
  expect(numbers.length).toBeGreaterThan(HISTORIES);
});
