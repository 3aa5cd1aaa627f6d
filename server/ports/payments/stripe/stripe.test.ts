import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  connectStripe,
  createSetClock,
  createStripeSubject,
  START,
} from '../../../testing/fake-providers.ts';
import { startFakeStripe, type FakeStripe } from '../../../testing/fake-stripe.ts';
import { describePaymentFaults, describePayments } from '../../../testing/payments-contract.ts';
import { ForgedWebhook, type Payments } from '../payments.ts';
import { DAY } from '#contract/rules/time.ts';

describePayments('Stripe', createStripeSubject);
describePaymentFaults('Stripe', createStripeSubject);

describe('Stripe alone', () => {
  const clock = createSetClock();
  let fake: FakeStripe;
  let payments: Payments;
  beforeEach(async () => {
    clock.set(START);
    fake = await startFakeStripe(clock);
    payments = connectStripe(fake, clock);
  });
  afterEach(() => fake.close());

  const request = {
    reference: 'ref-1',
    userId: 'user-1',
    email: 'thandi@example.com',
    customerId: null,
    plan: 'monthly' as const,
    amount: 7900,
    renewalAmount: 7900,
    currency: 'ZAR',
    firstChargeAt: START,
    successUrl: 'https://site.example/subscription-success',
    cancelUrl: 'https://site.example/pricing',
  };

  it('starts no checkout if Stripe has another price', async () => {
    const started = payments.startCheckout({ ...request, renewalAmount: 9900, amount: 9900 });
    await expect(started).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(
        '9900 cents ZAR is the price here, but the price price_monthly is 7900 cents ZAR',
      ),
    });
    expect(fake.seen).not.toContain('POST /v1/checkout/sessions');
  });

  it('starts the same checkout from another process, with the same discount', async () => {
    const first = await payments.startCheckout({ ...request, amount: 3950 });
    expect(await connectStripe(fake, clock).startCheckout({ ...request, amount: 3950 })).toEqual(
      first,
    );
    expect(fake.coupons.size).toBe(1);
  });

  it('finds a checkout without its id for a day, and a paid one at any time', async () => {
    await payments.startCheckout(request);
    fake.pay('ref-1');
    const checkout = await payments.getCheckout('ref-1');
    clock.set(START + 40 * DAY);
    const later = await payments.getCheckout('ref-1');
    expect(later).toEqual(checkout);
    expect(later.state).toBe('paid');
  });

  it('does not return a checkout by its id if the reference differs', async () => {
    const { checkoutId } = await payments.startCheckout(request);
    fake.pay('ref-1');
    expect((await payments.getCheckout('ref-2', checkoutId)).state).toBe('unknown');
  });

  it('rounds a trial of less than two days up to whole days', async () => {
    await payments.startCheckout({ ...request, firstChargeAt: START + DAY });
    fake.pay('ref-1');
    expect(fake.subscriptions[0]?.periodEnd).toBe(START + DAY);
  });

  it('cancels a subscription with a scheduled change', async () => {
    await payments.startCheckout(request);
    fake.pay('ref-1');
    const { providerSubscriptionId } = await payments.getCheckout('ref-1');
    const id = providerSubscriptionId ?? '';
    const change = {
      providerSubscriptionId: id,
      plan: 'annual' as const,
      amount: 79_000,
      startsAt: START,
    };
    await payments.changePlan(change);
    await payments.cancelAtPeriodEnd(id);
    const { providerSubscription } = await payments.getProviderSubscription(id);
    expect(providerSubscription).toMatchObject({ status: 'ending', nextPlan: null });
  });

  it('refuses a signature that is minutes old', async () => {
    const { headers, rawBody } = fake.sign(
      JSON.stringify({
        id: 'evt_1',
        type: 'invoice.paid',
        data: { object: { customer: 'cus_1' } },
      }),
    );
    expect(await payments.parseWebhook(headers, rawBody)).toMatchObject({ eventId: 'evt_1' });
    clock.set(START + 301_000);
    await expect(payments.parseWebhook(headers, rawBody)).rejects.toBeInstanceOf(ForgedWebhook);
  });
});
