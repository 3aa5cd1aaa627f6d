import { expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { about, ask, month, read, readCharges, subject, subscribe } from './subject.ts';

export function describeCheckout() {
  it('starts one checkout, however often it is called', async () => {
    const first = await subject.payments.startCheckout(ask());
    expect(await subject.payments.startCheckout(ask())).toEqual(first);
    const { checkoutId } = first;
    expect(await subject.payments.startCheckout({ ...ask(), checkoutId })).toEqual(first);
    expect(URL.canParse(first.url)).toBe(true);
    const checkout = await subject.payments.getCheckout(ask().reference, first.checkoutId);
    expect(checkout).toMatchObject({ state: 'open', providerSubscriptionId: null, charge: null });
  });

  it('does not know an unused reference', async () => {
    expect(await subject.payments.getCheckout('ref-of-nobody')).toEqual({
      state: 'unknown',
      providerSubscriptionId: null,
      customerId: null,
      charge: null,
      cardFingerprint: null,
    });
  });

  it("returns the payment by the provider's id and by our reference alone", async () => {
    const { providerSubscriptionId, customerId, checkout } = await subscribe();
    expect(checkout).toMatchObject({
      state: 'paid',
      charge: {
        reference: 'ref-0123456789',
        customerId,
        providerSubscriptionId,
        plan: 'monthly',
        status: 'paid',
        amount: 7900,
        refunded: 0,
        currency: 'ZAR',
        dispute: null,
        card: { last4: expect.stringMatching(/^\d{4}$/), expiryMonth: expect.any(Number) },
        failure: null,
      },
    });
    expect(about(checkout.charge?.at ?? 0)).toBe(about(subject.now()));
    expect(await subject.payments.getCheckout('ref-0123456789')).toEqual(checkout);
    expect(await subject.payments.finishCheckout('ref-0123456789')).toEqual({
      providerSubscriptionId,
    });
    const { providerSubscription, charges } = await read(providerSubscriptionId);
    expect(providerSubscription).toMatchObject({
      id: providerSubscriptionId,
      customerId,
      plan: 'monthly',
      status: 'active',
      nextAmount: 7900,
      nextPlan: null,
      card: checkout.charge?.card,
    });
    expect(about(providerSubscription.nextChargeAt)).toBe(about(month(subject.now())));
    expect(charges).toEqual([checkout.charge]);
    expect(await subject.payments.listProviderSubscriptions(customerId)).toEqual([
      { providerSubscription, charges },
    ]);
  });

  it('keeps a checkout open after a declined card, and says why', async () => {
    const { checkoutId } = await subject.payments.startCheckout(ask());
    await subject.decline('ref-0123456789');
    const checkout = await subject.payments.getCheckout('ref-0123456789', checkoutId);
    expect(checkout).toMatchObject({ state: 'open', providerSubscriptionId: null });
    if (checkout.charge)
      expect(checkout.charge).toMatchObject({
        status: 'failed',
        failure: expect.stringMatching(/^Your bank .*\.$/),
      });
    await subject.pay('ref-0123456789');
    expect((await subject.payments.getCheckout('ref-0123456789', checkoutId)).state).toBe('paid');
  });

  it('fails an unpaid checkout after a day', async () => {
    const { checkoutId } = await subject.payments.startCheckout(ask());
    await subject.passTo(subject.now() + DAY + 1000);
    expect((await subject.payments.getCheckout('ref-0123456789', checkoutId)).state).toBe('failed');
  });

  it('charges a reduced first payment and the full price after it', async () => {
    const { customerId, checkout } = await subscribe({ amount: 3950 });
    expect(checkout.charge).toMatchObject({ amount: 3950, plan: 'monthly', status: 'paid' });
    await subject.passTo(month(subject.now()) + 1000);
    expect((await readCharges(customerId)).map(({ amount }) => amount)).toEqual([3950, 7900]);
  });

  it('charges nothing before the trial ends', async () => {
    const firstChargeAt = subject.now() + 14 * DAY;
    const { providerSubscriptionId, customerId, checkout } = await subscribe({ firstChargeAt });
    expect(checkout).toMatchObject({ state: 'paid', charge: null });
    expect(await subject.payments.getCheckout('ref-0123456789')).toEqual(checkout);
    const { providerSubscription } = await read(providerSubscriptionId);
    expect(providerSubscription).toMatchObject({ status: 'active', nextAmount: 7900 });
    expect(about(providerSubscription.nextChargeAt)).toBe(about(firstChargeAt));
    expect(await readCharges(customerId)).toEqual([]);
    await subject.passTo(firstChargeAt + 1000);
    expect(await readCharges(customerId)).toMatchObject([{ amount: 7900, status: 'paid' }]);
  });
}
