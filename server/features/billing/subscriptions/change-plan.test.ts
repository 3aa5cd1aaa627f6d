import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChangeQuote } from '#contract/billing.ts';
import { changeSettings } from '../../../db/settings.ts';
import { deliverAll, payingClient, runPaymentJobs } from '../../../testing/test-payments.ts';
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

it('gives back a payment on a page from before another one was paid', async () => {
  const stale = await me.begin('monthly');
  test.clock.advance(DAY / 2);
  const annual = await me.begin('annual');
  await test.sandbox.pay(annual.checkoutId, { card: 'success' });
  await me.confirm(annual.reference);
  await test.sandbox.pay(stale.checkoutId, { card: 'success' });
  await deliverAll(test);
  await runPaymentJobs(test);
  await runPaymentJobs(test);
  expect(await me.ledger()).toEqual(['charge', 'subscribed', 'charge-refused', 'refund']);
  expect(await me.subscription()).toMatchObject({ status: 'active', plan: 'annual' });
});

it('resumes a subscription that was cancelled when its plan is changed', async () => {
  await me.buy('monthly');
  await me.cancel();
  expect(await me.change('annual')).toMatchObject({ renews: true, nextPlan: 'annual' });
  test.clock.advance(31 * DAY);
  await runPaymentJobs(test);
  expect((await me.charges()).map(({ amount }) => amount)).toEqual([79_00, 790_00]);
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
  expect(nextPayment).toMatchObject({ plan: 'annual', amount: annual.amount, at: annual.at });
  // The current plan keeps its price.
  const stay = await ask('monthly');
  expect(stay.amount).toBe(79_00);
  expect((await me.change('monthly')).nextPayment).toMatchObject({ amount: 79_00, at: stay.at });
});

it('changes the plan on a server that has to read its settings again', async () => {
  await me.buy('monthly');
  test.clock.advance(DAY);
  expect(await me.change('annual')).toMatchObject({ nextPlan: 'annual' });
});
