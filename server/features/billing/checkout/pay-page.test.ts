import { afterEach, beforeEach, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { DAY } from '#contract/rules/time.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { payingClient, runPaymentJobs } from '../../../testing/test-payments.ts';
import { createUser } from '../../../testing/test-user.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

/** A member whose first renewal failed a moment ago. */
async function becomeLate(card: 'pays-once' | 'always-confirms') {
  const me = payingClient(test, await createUser(test));
  const { checkoutId, reference } = await me.begin('monthly');
  await test.sandbox.pay(checkoutId, { card, isConfirmed: true });
  await me.confirm(reference);
  expect((await me.subscription()).nextPayment).toMatchObject({ isFirst: false });
  test.clock.advance(31 * DAY);
  await runPaymentJobs(test);
  return me;
}

const findDue = async (me: Awaited<ReturnType<typeof becomeLate>>) =>
  (await me.call<User>('GET', '/api/auth/me')).paymentDue;

it('tells a member on every page what is owed, until it is paid', async () => {
  const me = await becomeLate('pays-once');
  const { problem } = await me.subscription();
  expect(problem).toMatchObject({ amount: 79_00, needsMember: false });
  expect(await findDue(me)).toEqual({ kind: 'owed', until: problem?.until });

  const { url } = await me.call<{ url: string }>('POST', '/api/subscription/pay');
  const id = url.split('/').at(-1) ?? '';
  await test.sandbox.pay(id, { card: 'success' });
  await runPaymentJobs(test);
  expect(await me.subscription()).toMatchObject({ status: 'active', problem: null });
  expect(await findDue(me)).toBeUndefined();
});

it('says that the bank wants the member to confirm', async () => {
  const me = await becomeLate('always-confirms');
  expect(await findDue(me)).toMatchObject({ kind: 'confirm' });
});

it('leads back to the reference of the payment, paid or not', async () => {
  const me = await becomeLate('pays-once');
  const { url } = await me.call<{ url: string }>('POST', '/api/subscription/pay');
  const page = await test.sandbox.findPage(url.split('/').at(-1) ?? '');
  const back = `/subscription?done=renewal&reference=${page?.reference}`;
  expect(page?.success_url.endsWith(back)).toBe(true);
  expect(page?.cancel_url).toBe(page?.success_url);
});
