import { describe, expect, it } from 'vitest';
import { START } from '../../../testing/fake-providers.ts';
import {
  clock,
  fake,
  month,
  passTo,
  payments,
  readPaid,
  request,
  subscribe,
  usePaystack,
} from '../../../testing/paystack/use-paystack.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

usePaystack();

describe('with two users who had the same e-mail address', () => {
  let before: string;
  let after: string;
  const join = async (later: number) => {
    before = await subscribe({}, 'hers');
    passTo(later);
    after = await subscribe({ reference: 'ref-2' }, 'his');
  };
  it('assigns payments by card, even on the same day', async () => {
    const later = START + 60_000;
    await join(later);
    expect(after).not.toBe(before);
    passTo(month(later));
    expect(await readPaid(before)).toEqual([
      [START, 7900],
      [month(START), 7900],
    ]);
    expect(await readPaid(after)).toEqual([
      [later, 7900],
      [month(later), 7900],
    ]);
  });

  it('assigns payments by date when the card was replaced twice', async () => {
    const later = START + 5 * DAY;
    await join(later);
    fake.updateCard(before, 'her second');
    passTo(month(month(later)));
    fake.updateCard(before, 'her third');
    expect(await readPaid(before)).toEqual([
      [START, 7900],
      [month(START), 7900],
      [month(month(START)), 7900],
    ]);
    expect(await readPaid(after)).toHaveLength(3);
    expect((await payments.getCheckout('ref-1')).providerSubscriptionId).toBe(before);
  });

  it("does not mistake one user's plan for the other's plan change", async () => {
    await join(START + 5 * DAY);
    await payments.changePlan({
      providerSubscriptionId: after,
      plan: 'annual',
      amount: 79_000,
      startsAt: month(clock.now()),
    });
    await expect(
      payments.changePlan({
        providerSubscriptionId: before,
        plan: 'annual',
        amount: 79_000,
        startsAt: START + 30 * DAY,
      }),
    ).rejects.toMatchObject({ kind: 'refused' });
    expect((await payments.getProviderSubscription(before)).providerSubscription).toMatchObject({
      status: 'active',
      plan: 'monthly',
      nextPlan: null,
    });
  });
});

it('gives a subscription to the last payment before it, if an earlier one never got any', async () => {
  fake.holdSubscriptions();
  await payments.startCheckout(request);
  fake.pay('ref-1');
  await payments.refund({ chargeId: 'ref-1', amount: 7900, key: 'back' });
  passTo(START + 10 * MINUTE);
  await payments.startCheckout({ ...request, reference: 'ref-2' });
  fake.pay('ref-2');
  fake.releaseSubscriptions();
  // The earlier one never comes.
  fake.subscriptions.shift();
  const id = fake.subscriptions[0]?.subscription_code ?? '';
  expect((await payments.getCheckout('ref-2')).providerSubscriptionId).toBe(id);
  expect((await payments.getCheckout('ref-1')).providerSubscriptionId).toBeNull();
  expect(await readPaid(id)).toEqual([[START + 10 * MINUTE, 7900]]);
  await payments.cancelAtPeriodEnd(id);
  passTo(START + 9 * DAY);
  const { providerSubscriptionId } = await payments.resume({
    providerSubscriptionId: id,
    plan: 'monthly',
    amount: 7900,
    startsAt: month(START),
  });
  expect(await readPaid(providerSubscriptionId)).toEqual([]);
});
