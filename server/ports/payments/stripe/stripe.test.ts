import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  connectStripe,
  createSetClock,
  createStripeSubject,
  START,
} from '../../../testing/fake-providers.ts';
import { startFakeStripe, STRIPE_PRICES, type FakeStripe } from '../../../testing/fake-stripe.ts';
import { describePaymentFaults, describePayments } from '../../../testing/payments-contract.ts';
import type { PlanIds } from '../../../payments-settings.ts';
import { ForgedWebhook, type CheckoutRequest, type Payments } from '../payments.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

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

  /** Of another shop on the same account. */
  const otherPrices: PlanIds = { monthly: ['price_other'], annual: ['price_another'] };
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
        '9900 cents ZAR a month is the price here, but the price price_monthly is 7900 cents ZAR',
      ),
    });
    expect(fake.seen).not.toContain('POST /v1/checkout/sessions');
  });

  it.each([
    ['a year', { interval: 'year' as const }, 'is charged every 1 year'],
    ['every three months', { intervalCount: 3 }, 'is charged every 3 month'],
  ])('starts no checkout if Stripe charges that price %s', async (_name, change, message) => {
    Object.assign(fake.prices[0]!, change);
    await expect(payments.startCheckout(request)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(message),
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

  const subscribe = async (change: Partial<CheckoutRequest> = {}) => {
    await payments.startCheckout({ ...request, ...change });
    fake.pay(change.reference ?? 'ref-1');
    const checkout = await payments.getCheckout(change.reference ?? 'ref-1');
    return { id: checkout.providerSubscriptionId ?? '', checkout };
  };
  const read = async (id: string) => payments.getProviderSubscription(id);
  const passTo = (time: number) => {
    clock.set(time);
    fake.passTo(time);
  };
  const DUE = Date.UTC(2026, 11, 15, 12);
  const fallLate = async () => {
    const { id, checkout } = await subscribe();
    fake.emptyAccount(id);
    passTo(DUE + 1000);
    return { id, customerId: checkout.customerId ?? '' };
  };
  const pinned = (id: string) => fake.subscriptions.find((found) => found.id === id)?.paymentMethod;

  it('resumes a subscription that was cancelled on the portal', async () => {
    const { id } = await subscribe();
    fake.subscriptions[0]!.cancelAt = DUE;
    expect((await read(id)).providerSubscription.status).toBe('ending');
    const change = { providerSubscriptionId: id, plan: 'monthly' as const, amount: 7900 };
    await payments.resume({ ...change, startsAt: DUE });
    expect((await read(id)).providerSubscription.status).toBe('active');
    passTo(DUE + 1000);
    expect((await read(id)).charges.map(({ status }) => status)).toEqual(['paid', 'paid']);
  });

  describe('a card added on the portal', () => {
    it.each([
      ['the subscription is read', (id: string) => read(id)],
      [
        'the customer is read',
        async (_id: string, customerId: string) => payments.listProviderSubscriptions(customerId),
      ],
    ])('pays the open invoice and is pinned when %s', async (_name, look) => {
      const { id, customerId } = await fallLate();
      expect((await read(id)).providerSubscription.card?.last4).toBe('4242');
      clock.set(DUE + DAY);
      fake.updateCard(id, 'second');
      expect(pinned(id)?.card).toBe('first');
      await look(id, customerId);
      const { providerSubscription, charges } = await read(id);
      expect(providerSubscription).toMatchObject({ status: 'active', card: { last4: '5556' } });
      expect(charges.map(({ status }) => status)).toEqual(['paid', 'failed', 'paid']);
      expect(pinned(id)?.card).toBe('second');
      passTo(Date.UTC(2027, 0, 15, 13));
      expect((await read(id)).charges.at(-1)).toMatchObject({
        status: 'paid',
        card: { last4: '5556' },
      });
    });

    it.each(['customer.updated', 'payment_method.attached'])(
      'is noticed by the event %s',
      async (kind) => {
        const { id, customerId } = await fallLate();
        fake.drainWebhooks();
        fake.updateCard(id, 'second');
        const events = await Promise.all(
          fake
            .drainWebhooks()
            .map(({ headers, rawBody }) => payments.parseWebhook(headers, rawBody)),
        );
        expect(events.find((event) => event?.kind === kind)?.subjects).toMatchObject([
          { customerId },
        ]);
      },
    );

    it('is charged once if we stop between paying and pinning, or twice at the same time', async () => {
      const { id } = await fallLate();
      clock.set(DUE + DAY);
      fake.updateCard(id, 'second');
      fake.setFault('down', `POST /v1/subscriptions/${id}`);
      await expect(read(id)).rejects.toMatchObject({ kind: 'temporary' });
      fake.setFault(null);
      const states = await Promise.all([read(id), read(id)]);
      expect(states[0]?.charges.filter(({ status }) => status === 'paid')).toHaveLength(2);
      expect(pinned(id)?.card).toBe('second');
    });

    it('is pinned even if it is declined, and is not tried again at each look', async () => {
      const { id } = await fallLate();
      clock.set(DUE + DAY);
      fake.updateCard(id, 'second');
      const { paymentMethod } = fake.subscriptions[0]!.customer;
      fake.emptied.add(paymentMethod?.id ?? '');
      for (const _ of [1, 2]) await read(id);
      const { providerSubscription, charges } = await read(id);
      expect(providerSubscription).toMatchObject({ status: 'late', card: { last4: '5556' } });
      expect(charges.filter(({ status }) => status === 'failed')).toHaveLength(2);
    });

    it('stays after a plan change that was scheduled before', async () => {
      const { id } = await subscribe();
      const change = { providerSubscriptionId: id, plan: 'annual' as const, amount: 79_000 };
      await payments.changePlan({ ...change, startsAt: DUE });
      clock.set(START + DAY);
      fake.updateCard(id, 'second');
      await read(id);
      passTo(DUE + 1000);
      expect((await read(id)).charges.at(-1)).toMatchObject({
        amount: 79_000,
        card: { last4: '5556' },
      });
    });

    it('does not replace the card of a later checkout', async () => {
      const { id, checkout } = await subscribe();
      clock.set(START + DAY);
      fake.updateCard(id, 'second');
      await read(id);
      await payments.endNow(id);
      clock.set(START + 2 * DAY);
      const again = { reference: 'ref-2', customerId: checkout.customerId };
      const { id: next } = await subscribe(again);
      expect((await read(next)).providerSubscription.card?.last4).toBe('4242');
      expect(pinned(next)?.card).toBe('first');
    });

    it('is left alone on the subscription of another shop', async () => {
      const { id } = await fallLate();
      fake.subscriptions[0]!.reference = '';
      clock.set(DUE + DAY);
      fake.updateCard(id, 'second');
      await read(id);
      expect(pinned(id)?.card).toBe('first');
      expect(fake.invoices.at(-1)?.status).toBe('open');
    });

    it('is left alone on the subscription of another shop that attaches references too', async () => {
      const { id } = await fallLate();
      clock.set(DUE + DAY);
      fake.updateCard(id, 'second');
      await connectStripe(fake, clock, otherPrices).getProviderSubscription(id);
      expect(pinned(id)?.card).toBe('first');
      expect(fake.invoices.at(-1)?.status).toBe('open');
    });
  });

  describe('a late subscription that is cancelled', () => {
    it('ends at once, and what is open can no longer be paid by anyone', async () => {
      const { id } = await fallLate();
      const open = fake.invoices.at(-1);
      expect(open?.status).toBe('open');
      await payments.cancelAtPeriodEnd(id);
      expect((await read(id)).providerSubscription.status).toBe('ended');
      expect(open).toMatchObject({ status: 'void', retryAt: null });
      fake.fillAccount(id);
      fake.payOnPage(open?.id ?? '');
      passTo(DUE + 60 * DAY);
      const paid = (await read(id)).charges.filter(({ status }) => status === 'paid');
      expect(paid).toHaveLength(1);
    });

    it('is voided by asking again if that stopped half-way', async () => {
      const { id } = await fallLate();
      const open = fake.invoices.at(-1)!;
      fake.setFault('down', `POST /v1/invoices/${open.id}/void`);
      await expect(payments.cancelAtPeriodEnd(id)).rejects.toMatchObject({ kind: 'temporary' });
      expect(open.status).toBe('open');
      fake.setFault(null);
      await payments.endNow(id);
      expect(open.status).toBe('void');
    });

    it('ends at once even if it was set to end with its period on the dashboard', async () => {
      const { id } = await fallLate();
      fake.subscriptions[0]!.isCancelled = true;
      await payments.cancelAtPeriodEnd(id);
      expect((await read(id)).providerSubscription.status).toBe('ended');
      expect(fake.invoices.at(-1)?.status).toBe('void');
    });

    it('never collects a renewal that was still a draft', async () => {
      const { id } = await subscribe();
      fake.drafting.ms = HOUR;
      passTo(DUE + 1000);
      expect(fake.invoices.at(-1)?.status).toBe('draft');
      await payments.endNow(id);
      passTo(DUE + 60 * DAY);
      expect((await read(id)).charges).toHaveLength(1);
    });
  });

  describe('a price change', () => {
    const changeTo = (id: string, amount: number) => ({
      providerSubscriptionId: id,
      plan: 'monthly' as const,
      amount,
      startsAt: DUE,
    });
    const withNewPrice = () => {
      fake.prices.push({ id: 'price_monthly_2027', amount: 9900, interval: 'month' });
      payments = connectStripe(fake, clock, {
        ...STRIPE_PRICES,
        monthly: ['price_monthly_2027', 'price_monthly'],
      });
    };

    it('applies to the same plan from the next payment, and can be taken back', async () => {
      const { id } = await subscribe();
      withNewPrice();
      for (const _ of [1, 2]) await payments.changePlan(changeTo(id, 9900));
      expect((await read(id)).providerSubscription).toMatchObject({
        plan: 'monthly',
        nextPlan: null,
        nextAmount: 9900,
      });
      await payments.changePlan(changeTo(id, 7900));
      expect((await read(id)).providerSubscription.nextAmount).toBe(7900);
      await payments.changePlan(changeTo(id, 9900));
      passTo(DUE + 1000);
      const { charges } = await read(id);
      expect(charges.map(({ amount, plan }) => [amount, plan])).toEqual([
        [7900, 'monthly'],
        [9900, 'monthly'],
      ]);
    });

    it('is refused if Stripe has no such price', async () => {
      const { id } = await subscribe();
      await expect(payments.changePlan(changeTo(id, 9900))).rejects.toMatchObject({
        kind: 'refused',
      });
    });
  });

  it('reports fees, payouts, disputes and the card’s fingerprint for the books', async () => {
    const { id, checkout } = await subscribe();
    expect(checkout).toMatchObject({
      cardFingerprint: 'fingerprint-of-first',
      charge: { fee: 229 + 200 },
    });
    fake.payouts.push(
      { id: 'po_1', amount: 7471, fees: [429], at: DUE },
      { id: 'po_2', amount: 14_942, fees: [429, 429], at: DUE + 7 * DAY },
      { id: 'po_3', amount: 1, fees: [], at: DUE + 14 * DAY },
    );
    expect(await payments.listPayouts({ from: DUE, to: DUE + 14 * DAY })).toEqual([
      { id: 'po_1', at: DUE, amount: 7471, fees: 429, currency: 'ZAR' },
      { id: 'po_2', at: DUE + 7 * DAY, amount: 14_942, fees: 858, currency: 'ZAR' },
    ]);
    const chargeId = checkout.charge?.id ?? '';
    const disputeOf = async () => (await read(id)).charges[0]?.dispute;
    fake.dispute(chargeId);
    expect(await disputeOf()).toEqual({ state: 'open', respondBy: START + 9 * DAY });
    fake.dispute(chargeId, 'under_review');
    expect(await disputeOf()).toEqual({ state: 'open', respondBy: null });
    fake.dispute(chargeId, 'lost');
    expect(await disputeOf()).toEqual({ state: 'lost', respondBy: null });
    fake.dispute(chargeId, 'won');
    expect(await disputeOf()).toBeNull();
  });

  it('adds up the fees of a payout over several pages, and tells none if there are too many', async () => {
    const fees = (count: number) => Array.from({ length: count }, () => 429);
    fake.payouts.push(
      { id: 'po_1', amount: 1, fees: fees(250), at: DUE },
      { id: 'po_2', amount: 1, fees: fees(2100), at: DUE },
    );
    expect(await payments.listPayouts({ from: DUE, to: DUE + DAY })).toMatchObject([
      { id: 'po_2', fees: null },
      { id: 'po_1', fees: 250 * 429 },
    ]);
  });

  it('knows the card of a trial', async () => {
    const { checkout } = await subscribe({ firstChargeAt: START + 14 * DAY });
    expect(checkout).toMatchObject({ charge: null, cardFingerprint: 'fingerprint-of-first' });
  });

  it('does not count a payment to another shop on the same account as ours', async () => {
    const { checkout } = await subscribe();
    const chargeId = checkout.charge?.id ?? '';
    expect(await payments.isOurs(chargeId)).toBe(true);
    expect(await connectStripe(fake, clock, otherPrices).isOurs(chargeId)).toBe(false);
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
