import { expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { PaymentsError, type PlanChange } from '../../ports/payments/payments.ts';
import { about, catchError, month, read, readCharges, subject, subscribe } from './subject.ts';

const sameAgain = (providerSubscriptionId: string): PlanChange => ({
  providerSubscriptionId,
  plan: 'monthly',
  amount: 7900,
  startsAt: month(subject.now()),
});

async function fallLate() {
  const { providerSubscriptionId, customerId } = await subscribe();
  const due = month(subject.now());
  await subject.emptyAccount(providerSubscriptionId);
  await subject.passTo(due + 1000);
  expect((await read(providerSubscriptionId)).providerSubscription.status).toBe('late');
  return { providerSubscriptionId, customerId, due };
}

const chargesNothing = { charged: 0, status: 'ended', nextChargeAt: null };

/** What is charged in the months from now on if there is money. */
async function waitForCharges(providerSubscriptionId: string, customerId: string) {
  const before = await readCharges(customerId);
  await subject.fillAccount(providerSubscriptionId);
  for (const days of [2, 7, 40, 80]) {
    await subject.passTo(subject.now() + days * DAY);
    await read(providerSubscriptionId);
  }
  const charged = (await readCharges(customerId)).length - before.length;
  const { status, nextChargeAt } = (await read(providerSubscriptionId)).providerSubscription;
  return { charged, status, nextChargeAt };
}

export function describeSubscription() {
  it('renews, and a renewal without our reference names its subscription', async () => {
    const { providerSubscriptionId, customerId } = await subscribe();
    const due = month(subject.now());
    await subject.passTo(due + 1000);
    const [, renewal] = await readCharges(customerId);
    expect(renewal).toMatchObject({
      reference: null,
      providerSubscriptionId,
      customerId,
      plan: 'monthly',
      amount: 7900,
      status: 'paid',
    });
    expect(about((await read(providerSubscriptionId)).providerSubscription.nextChargeAt)).toBe(
      about(month(due)),
    );
  });

  it('is late when a renewal fails', async () => {
    const { providerSubscriptionId, customerId } = await subscribe();
    await subject.emptyAccount(providerSubscriptionId);
    await subject.passTo(month(subject.now()) + 1000);
    expect((await read(providerSubscriptionId)).providerSubscription.status).toBe('late');
    const charges = await readCharges(customerId);
    expect(charges.filter(({ status }) => status === 'paid')).toHaveLength(1);
    expect(charges.at(-1)).toMatchObject({
      status: 'failed',
      failure: expect.stringMatching(/\.$/),
    });
  });

  it('says whether a failed renewal is tried again before the next date', async () => {
    const { providerSubscriptionId, customerId } = await fallLate();
    await subject.passTo(subject.now() + 7 * DAY);
    const failed = (await readCharges(customerId)).filter(({ status }) => status === 'failed');
    expect(failed.length > 1).toBe(subject.isRetrying);
    await subject.fillAccount(providerSubscriptionId);
    await subject.passTo(month(subject.now()) + DAY);
    expect((await read(providerSubscriptionId)).providerSubscription.status).toBe('active');
  });

  it('is paid by a new card as soon as it is asked, once, and renews on time', async () => {
    const { providerSubscriptionId, customerId, due } = await fallLate();
    const { payments } = subject;
    const owed = { providerSubscriptionId, plan: 'monthly' as const, amount: 7900 };
    // The old card is declined again, which is no error.
    for (const _ of [1, 2]) await payments.payOwed({ ...owed, reference: 'owed-1' });
    expect((await read(providerSubscriptionId)).providerSubscription.status).toBe('late');
    const failed = (await readCharges(customerId)).filter(({ status }) => status === 'failed');
    expect(failed).toHaveLength(2);
    await subject.updateCard(providerSubscriptionId);
    for (const _ of [1, 2]) await payments.payOwed({ ...owed, reference: 'owed-2' });
    await payments.payOwed({ ...owed, reference: 'owed-3' });
    expect((await read(providerSubscriptionId)).providerSubscription.status).toBe('active');
    const paid = async () =>
      (await readCharges(customerId)).filter(({ status }) => status === 'paid');
    expect((await paid()).slice(1)).toMatchObject([
      { reference: null, providerSubscriptionId, plan: 'monthly', amount: 7900, refunded: 0 },
    ]);
    await subject.passTo(month(due) + 1000);
    expect(await paid()).toHaveLength(3);
    await subject.passTo(month(month(due)) + 1000);
    expect(await paid()).toHaveLength(4);
  });

  it('charges nothing after a late one is cancelled, even if there is money again', async () => {
    const { providerSubscriptionId, customerId } = await fallLate();
    await subject.payments.cancelAtPeriodEnd(providerSubscriptionId);
    expect(await waitForCharges(providerSubscriptionId, customerId)).toEqual(chargesNothing);
  });

  it.each(['active', 'late', 'ending'] as const)(
    'charges nothing after it is ended while it is %s, however often it is asked',
    async (status) => {
      const { providerSubscriptionId, customerId } =
        status === 'late' ? await fallLate() : await subscribe();
      const { cancelAtPeriodEnd, endNow } = subject.payments;
      if (status === 'ending') await cancelAtPeriodEnd(providerSubscriptionId);
      for (const _ of [1, 2]) await endNow(providerSubscriptionId);
      expect(await waitForCharges(providerSubscriptionId, customerId)).toEqual(chargesNothing);
    },
  );

  it('can be cancelled and resumed repeatedly', async () => {
    const { providerSubscriptionId } = await subscribe();
    for (const _ of [1, 2]) await subject.payments.cancelAtPeriodEnd(providerSubscriptionId);
    expect((await read(providerSubscriptionId)).providerSubscription).toMatchObject({
      status: 'ending',
      nextChargeAt: null,
    });
    const { resume } = subject.payments;
    const resumed = await resume(sameAgain(providerSubscriptionId));
    expect(await resume(sameAgain(providerSubscriptionId))).toEqual(resumed);
    expect(await resume(sameAgain(resumed.providerSubscriptionId))).toEqual(resumed);
    expect((await read(resumed.providerSubscriptionId)).providerSubscription).toMatchObject({
      status: 'active',
      plan: 'monthly',
      nextPlan: null,
      nextChargeAt: expect.any(Number),
    });
  });

  it('ends after a cancellation, charges no one again and cannot be resumed', async () => {
    const { providerSubscriptionId, customerId } = await subscribe();
    await subject.payments.cancelAtPeriodEnd(providerSubscriptionId);
    await subject.passTo(month(subject.now()) + 1000);
    expect((await read(providerSubscriptionId)).providerSubscription.status).toBe('ended');
    expect(await readCharges(customerId)).toHaveLength(1);
    await subject.payments.cancelAtPeriodEnd(providerSubscriptionId);
    const error = await catchError(subject.payments.resume(sameAgain(providerSubscriptionId)));
    expect(error).toBeInstanceOf(PaymentsError);
    expect(error).toMatchObject({ kind: 'refused' });
  });

  it('changes its plan with the next payment, however often it is asked', async () => {
    const { providerSubscriptionId, customerId } = await subscribe();
    const startsAt = (await read(providerSubscriptionId)).providerSubscription.nextChargeAt ?? 0;
    const change = { providerSubscriptionId, plan: 'annual' as const, amount: 79_000, startsAt };
    const changed = await subject.payments.changePlan(change);
    expect(await subject.payments.changePlan(change)).toEqual(changed);
    const { providerSubscription } = await read(changed.providerSubscriptionId);
    expect(providerSubscription.nextPlan ?? providerSubscription.plan).toBe('annual');
    expect(providerSubscription).toMatchObject({ status: 'active', nextAmount: 79_000 });
    expect(about(providerSubscription.nextChargeAt)).toBe(about(startsAt));
    expect(await readCharges(customerId)).toHaveLength(1);
    await subject.passTo(startsAt + 1000);
    expect(await readCharges(customerId)).toMatchObject([
      { plan: 'monthly', amount: 7900 },
      { plan: 'annual', amount: 79_000, providerSubscriptionId: changed.providerSubscriptionId },
    ]);
    const { addPeriod } = subject.payments.calendar;
    const next = (await read(changed.providerSubscriptionId)).providerSubscription.nextChargeAt;
    expect(about(next)).toBe(about(addPeriod(startsAt, 'annual')));
  });

  it('changes back before anything is charged', async () => {
    const { providerSubscriptionId, customerId } = await subscribe();
    const startsAt = (await read(providerSubscriptionId)).providerSubscription.nextChargeAt ?? 0;
    const { changePlan } = subject.payments;
    const there = await changePlan({
      providerSubscriptionId,
      plan: 'annual',
      amount: 79_000,
      startsAt,
    });
    const back = await changePlan({ ...there, plan: 'monthly', amount: 7900, startsAt });
    await subject.passTo(startsAt + 1000);
    expect((await read(back.providerSubscriptionId)).providerSubscription).toMatchObject({
      plan: 'monthly',
      nextPlan: null,
      status: 'active',
    });
    expect((await readCharges(customerId)).map(({ amount }) => amount)).toEqual([7900, 7900]);
  });

  it('changes again after the first change was charged', async () => {
    const { providerSubscriptionId, customerId } = await subscribe();
    const startsAt = (await read(providerSubscriptionId)).providerSubscription.nextChargeAt ?? 0;
    const { changePlan } = subject.payments;
    const there = await changePlan({
      providerSubscriptionId,
      plan: 'annual',
      amount: 79_000,
      startsAt,
    });
    await subject.passTo(startsAt + 1000);
    const until = (await read(there.providerSubscriptionId)).providerSubscription.nextChargeAt ?? 0;
    const change = { ...there, plan: 'monthly' as const, amount: 7900, startsAt: until };
    const back = await changePlan(change);
    const { providerSubscription } = await read(back.providerSubscriptionId);
    expect(providerSubscription.nextPlan ?? providerSubscription.plan).toBe('monthly');
    expect(providerSubscription).toMatchObject({ status: 'active', nextAmount: 7900 });
    expect(about(providerSubscription.nextChargeAt)).toBe(about(until));
    for (const due of [until, month(until)]) await subject.passTo(due + 1000);
    const amounts = (await readCharges(customerId)).map(({ amount }) => amount);
    expect(amounts).toEqual([7900, 79_000, 7900, 7900]);
  });

  it('has a provider page for updating the card', async () => {
    const { providerSubscriptionId } = await subscribe();
    const url = await subject.payments.cardUpdateUrl(
      providerSubscriptionId,
      'https://site.example/back',
    );
    expect(URL.canParse(url)).toBe(true);
  });

  it('is refused permanently if it does not exist', async () => {
    const { payments } = subject;
    const calls = [
      payments.getProviderSubscription('agr_nobody'),
      payments.cancelAtPeriodEnd('agr_nobody'),
      payments.endNow('agr_nobody'),
      payments.resume(sameAgain('agr_nobody')),
    ];
    for (const error of await Promise.all(calls.map(catchError)))
      expect(error).toMatchObject({ name: 'PaymentsError', kind: 'not-found' });
  });
}

export function describeReversals() {
  it('tells its own payments from others', async () => {
    const { checkout } = await subscribe();
    const { isOurs } = subject.payments;
    expect(await isOurs(checkout.charge?.id ?? '')).toBe(true);
    expect(await isOurs('ch_nobody')).toBe(false);
  });

  it('refunds once per key, and never more than was paid', async () => {
    const { customerId, checkout } = await subscribe();
    const chargeId = checkout.charge?.id ?? '';
    const { refund } = subject.payments;
    for (const _ of [1, 2]) await refund({ chargeId, amount: 1000, key: 'refund-1' });
    expect(await readCharges(customerId)).toMatchObject([{ refunded: 1000, amount: 7900 }]);
    await refund({ chargeId, amount: 6900, key: 'refund-2' });
    expect(await readCharges(customerId)).toMatchObject([{ refunded: 7900, status: 'paid' }]);
    const error = await catchError(refund({ chargeId, amount: 1, key: 'refund-3' }));
    expect(error).toMatchObject({ name: 'PaymentsError', kind: 'refused' });
  });

  it('shows a dispute', async () => {
    const { customerId, checkout } = await subscribe();
    await subject.dispute(checkout.charge?.id ?? '');
    expect(await readCharges(customerId)).toMatchObject([{ dispute: { state: 'open' } }]);
    const [charge] = await readCharges(customerId);
    expect(charge?.dispute?.respondBy ?? subject.now() + 1).toBeGreaterThan(subject.now());
  });
}
