import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  STRIPE_KEY,
  STRIPE_PRICES,
  STRIPE_WEBHOOK_SECRET,
  startFakeStripe,
  type FakeStripe,
} from '../../../testing/fake-stripe.ts';
import { describePaymentFaults, describePayments } from '../../../testing/payments-contract.ts';
import type { PaymentsUnderTest } from '../../../testing/payments-contract/subject.ts';
import { ForgedWebhook, type Payments } from '../payments.ts';
import { createStripePayments } from './stripe-payments.ts';

const START = Date.UTC(2026, 10, 15, 12);
const DAY = 24 * 60 * 60 * 1000;

let now = START;
const clock = { now: () => now };
const connect = (fake: FakeStripe) =>
  createStripePayments(
    {
      api: fake.origin,
      secretKey: STRIPE_KEY,
      webhookSecret: STRIPE_WEBHOOK_SECRET,
      prices: STRIPE_PRICES,
    },
    { clock, timeoutMs: 400 },
  );

const create = async (): Promise<PaymentsUnderTest> => {
  now = START;
  const fake = await startFakeStripe(clock);
  return {
    payments: connect(fake),
    now: clock.now,
    passTo: async (time) => {
      now = time;
      fake.passTo(time);
    },
    pay: async (reference) => fake.pay(reference),
    // A card that is declined leaves no trace on Stripe's open page.
    decline: async () => undefined,
    emptyAccount: async (id) => fake.emptyAccount(id),
    dispute: async (id) => fake.dispute(id),
    takeWebhooks: async () => fake.takeWebhooks(),
    sign: async (body) => fake.sign(body),
    setFault: fake.setFault,
    close: fake.close,
  };
};

describePayments('Stripe', create);
describePaymentFaults('Stripe', create);

describe('Stripe alone', () => {
  let fake: FakeStripe;
  let payments: Payments;
  beforeEach(async () => {
    now = START;
    fake = await startFakeStripe(clock);
    payments = connect(fake);
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

  it('starts nothing when its price is another than the site says', async () => {
    const started = payments.startCheckout({ ...request, renewalAmount: 9900, amount: 9900 });
    await expect(started).rejects.toMatchObject({
      isLasting: true,
      message: expect.stringContaining(
        '9900 cents ZAR is asked here, but the price price_monthly is 7900 cents ZAR',
      ),
    });
    expect(fake.seen).not.toContain('POST /v1/checkout/sessions');
  });

  it('starts the same checkout from another process, with the same discount', async () => {
    const first = await payments.startCheckout({ ...request, amount: 3950 });
    expect(await connect(fake).startCheckout({ ...request, amount: 3950 })).toEqual(first);
    expect(fake.coupons.size).toBe(1);
  });

  it('finds a checkout without its id for a day, and what was paid for ever', async () => {
    await payments.startCheckout(request);
    fake.pay('ref-1');
    const truth = await payments.readCheckout('ref-1');
    now = START + 40 * DAY;
    const later = await payments.readCheckout('ref-1');
    expect(later).toEqual(truth);
    expect(later.state).toBe('paid');
  });

  it('does not show the checkout of somebody else to whoever has its id', async () => {
    const { checkoutId } = await payments.startCheckout(request);
    fake.pay('ref-1');
    expect((await payments.readCheckout('ref-2', checkoutId)).state).toBe('unknown');
  });

  it('lets a trial of less than two days last one or two', async () => {
    await payments.startCheckout({ ...request, firstChargeAt: START + DAY });
    fake.pay('ref-1');
    expect(fake.subscriptions[0]?.periodEnd).toBe(START + DAY);
  });

  it('cancels what a schedule was about to change', async () => {
    await payments.startCheckout(request);
    fake.pay('ref-1');
    const { agreementId } = await payments.readCheckout('ref-1');
    const id = agreementId ?? '';
    const change = { agreementId: id, plan: 'annual' as const, amount: 79_000, startsAt: START };
    await payments.changePlan(change);
    await payments.cancelAtPeriodEnd(id);
    const { agreement } = await payments.readAgreement(id);
    expect(agreement).toMatchObject({ status: 'ending', nextPlan: null });
  });

  it('refuses a signature that is older than minutes', async () => {
    const { headers, rawBody } = fake.sign(
      JSON.stringify({
        id: 'evt_1',
        type: 'invoice.paid',
        data: { object: { customer: 'cus_1' } },
      }),
    );
    expect(await payments.parseWebhook(headers, rawBody)).toMatchObject({ eventId: 'evt_1' });
    now = START + 301_000;
    await expect(payments.parseWebhook(headers, rawBody)).rejects.toBeInstanceOf(ForgedWebhook);
  });
});
