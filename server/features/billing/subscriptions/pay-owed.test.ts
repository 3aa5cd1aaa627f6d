import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import { failure, refusal } from '../../../ports/payments/payments.ts';
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

const pay = async () => {
  await me.subscription();
  return member.client.request({ method: 'POST', url: '/api/subscription/pay' });
};
const codeOf = (answer: Awaited<ReturnType<typeof pay>>) => [
  answer.statusCode,
  answer.json<ErrorBody>().code,
];
/** The first renewal fails, and the grace period passes. */
async function fallLate(plan: 'monthly' | 'annual' = 'monthly') {
  await me.buy(plan, { card: 'pays-once' });
  test.clock.advance((plan === 'annual' ? 366 : 31) * DAY);
  await test.sandbox.renewDue();
  await deliverAll(test);
}
const replaceCard = async () => {
  await test.sandbox.replaceCard(await me.providerSubscriptionId(), 'success');
  await deliverAll(test);
};
const countCharges = async () => (await me.charges()).length;

describe('a failed renewal', () => {
  it('can be paid at once with a new card, long before the next date', async () => {
    await fallLate('annual');
    test.clock.advance(20 * DAY);
    expect(await me.subscription()).toMatchObject({
      status: 'ended',
      hasAccess: false,
      renews: true,
      problem: { amount: 790_00 },
    });
    await replaceCard();
    // A new card is checked, but pays nothing that is owed.
    expect(await me.isSubscriber()).toBe(false);
    const paid = await pay();
    expect(paid.json()).toMatchObject({ status: 'active', hasAccess: true, problem: null });
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([790_00, 790_00]);
    expect(await me.invoices()).toHaveLength(2);
    const { paidThrough } = await me.subscription();
    expect(paidThrough).toBeGreaterThan(test.clock.now() + 364 * DAY);
  });

  it('that the bank declines again says why, and can be tried again', async () => {
    await fallLate();
    const declined = await pay();
    expect(codeOf(declined)).toEqual([402, 'payment_declined']);
    expect(declined.json<ErrorBody>().message).toBe(
      'Your bank declined the payment: insufficient funds. Update your card, then pay again.',
    );
    expect(codeOf(await pay())).toEqual([402, 'payment_declined']);
    await replaceCard();
    expect((await pay()).statusCode).toBe(200);
    expect(await countCharges()).toBe(2);
  });

  it('is charged once by two tabs at the same time', async () => {
    await fallLate();
    await replaceCard();
    const answers = await Promise.all([pay(), pay(), pay()]);
    expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(answers.every(({ statusCode }) => [200, 409].includes(statusCode))).toBe(true);
    await deliverAll(test);
    await reconcile(test);
    expect(await countCharges()).toBe(2);
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([79_00, 79_00]);
  });

  it('is charged once if the process dies at any call of the provider', EACH_STEP, () =>
    killAtEachStep(reopenSite, async (step) => {
      await fallLate();
      await replaceCard();
      const { restart } = killAtCall(test.deps.payments, step);
      await pay();
      const wasKilled = restart();
      test.clock.advance(10 * MINUTE);
      await reconcile(test);
      const again = await pay();
      expect([200, 409]).toContain(again.statusCode);
      await deliverAll(test);
      expect(await countCharges()).toBe(2);
      expect(await me.isSubscriber()).toBe(true);
      return wasKilled;
    }),
  );

  it('continues with the next renewal on its date', async () => {
    await fallLate();
    await replaceCard();
    await pay();
    test.clock.advance(31 * DAY);
    await test.sandbox.renewDue();
    await deliverAll(test);
    expect(await countCharges()).toBe(3);
    expect(await me.isSubscriber()).toBe(true);
  });

  it('isn’t charged while the provider is down, and asking again charges once', async () => {
    await fallLate();
    await replaceCard();
    const { payOwed } = test.deps.payments;
    test.deps.payments.payOwed = async (payment) => {
      await payOwed(payment);
      throw failure('The answer was lost.');
    };
    expect(codeOf(await pay())).toEqual([503, 'provider_unavailable']);
    test.deps.payments.payOwed = payOwed;
    expect([200, 409]).toContain((await pay()).statusCode);
    expect(await countCharges()).toBe(2);
  });

  it('whose card can’t be charged at all asks for another card', async () => {
    await fallLate();
    test.deps.payments.payOwed = async () => {
      throw refusal('The card can’t be charged. Add another card first.');
    };
    expect(codeOf(await pay())).toEqual([402, 'payment_declined']);
  });

  it('that is cancelled instead ends at once, and there is nothing to pay', async () => {
    await fallLate();
    expect(await me.cancel()).toMatchObject({ renews: false, problem: null, nextPayment: null });
    expect(codeOf(await pay())).toEqual([409, 'nothing_owed']);
    await test.worker.runDue();
    const { body_text: text } = await test.deps.database.db
      .selectFrom('outbox')
      .select('body_text')
      .where('subject', '=', 'Your Weekender subscription is cancelled')
      .executeTakeFirstOrThrow();
    expect(text).toContain('Your subscription has ended and you won’t be charged again.');
    expect(text).not.toContain('Resume');
    const { result } = await me.buy('monthly');
    expect(result.state).toBe('paid');
    expect(await me.isSubscriber()).toBe(true);
  });
});

it('there is nothing to pay without a failed payment', async () => {
  expect(codeOf(await pay())).toEqual([409, 'nothing_owed']);
  await me.buy('monthly');
  expect(codeOf(await pay())).toEqual([409, 'nothing_owed']);
  expect(
    (await test.createClient().request({ method: 'POST', url: '/api/subscription/pay' }))
      .statusCode,
  ).toBe(401);
});

it('attempts to pay are limited', async () => {
  await fallLate();
  for (const _ of Array.from({ length: 10 })) expect((await pay()).statusCode).toBe(402);
  expect(codeOf(await pay())).toEqual([429, 'rate_limited']);
});
