import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  PAYSTACK_KEY,
  PAYSTACK_PLANS,
  startFakePaystack,
  type FakePaystack,
} from '../../../testing/fake-paystack.ts';
import {
  connectPaystack,
  createPaystackSubject,
  createSetClock,
  START,
} from '../../../testing/fake-providers.ts';
import { describePaymentFaults, describePayments } from '../../../testing/payments-contract.ts';
import type { Payments } from '../payments.ts';
import { PortalSession } from '../stripe/shapes.ts';
import { InitializedTransaction, ManageLink } from './shapes.ts';
import { DAY } from '#contract/rules/time.ts';

describePayments('Paystack', createPaystackSubject);
describePaymentFaults('Paystack', createPaystackSubject);

describe('Paystack alone', () => {
  const clock = createSetClock();
  let fake: FakePaystack;
  let payments: Payments;
  beforeEach(async () => {
    clock.set(START);
    fake = await startFakePaystack(clock);
    payments = connectPaystack(fake, clock);
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
  const parse = async (event: string, data: unknown) => {
    const { headers, rawBody } = fake.sign(JSON.stringify({ event, data }));
    return payments.parseWebhook(headers, rawBody);
  };

  it("starts no checkout if Paystack's plan has another price", async () => {
    const started = payments.startCheckout({ ...request, renewalAmount: 9900, amount: 9900 });
    await expect(started).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(
        '9900 cents ZAR monthly is the price here, but the plan PLN_monthly costs 7900 cents ZAR',
      ),
    });
    expect(fake.seen).not.toContain('POST /transaction/initialize');
  });

  it('returns the page that another process opened if its URL was stored', async () => {
    const first = await payments.startCheckout(request);
    const other = connectPaystack(fake, clock);
    const { checkoutId } = first;
    expect(await other.startCheckout({ ...request, checkoutId })).toEqual(first);
    await expect(other.startCheckout(request)).rejects.toMatchObject({
      kind: 'refused',
      code: 'duplicate_reference',
    });
  });

  it('opens one page for two simultaneous requests, and tries again after a failure', async () => {
    fake.setFault('error');
    await expect(payments.startCheckout(request)).rejects.toMatchObject({ kind: 'temporary' });
    fake.setFault(null);
    const [one, two] = await Promise.all([1, 2].map(() => payments.startCheckout(request)));
    expect(two).toEqual(one);
    expect(fake.seen.filter((line) => line === 'POST /transaction/initialize')).toHaveLength(1);
  });

  it('ignores what another shop sells', async () => {
    const foreign = { reference: 'r', metadata: '', customer: null, plan: { plan_code: 'PLN_x' } };
    expect((await parse('charge.success', foreign))?.subjects).toEqual([]);
    const other = { subscription_code: 'SUB_x', plan: { plan_code: 'PLN_x' }, customer: null };
    expect((await parse('subscription.create', other))?.subjects).toEqual([]);
  });

  it('refunds a card check once', async () => {
    await payments.startCheckout({ ...request, firstChargeAt: START + 14 * DAY });
    fake.pay('ref-1');
    for (const _ of [1, 2, 3]) await payments.getCheckout('ref-1');
    expect(fake.seen.filter((line) => line === 'POST /refund')).toHaveLength(1);
    expect(fake.seen.filter((line) => line === 'POST /subscription')).toHaveLength(1);
    expect(fake.subscriptions).toHaveLength(1);
  });

  it('creates one subscription when two requests confirm a checkout at once', async () => {
    await payments.startCheckout({ ...request, amount: 3950 });
    fake.pay('ref-1');
    const states = await Promise.all([1, 2].map(() => payments.getCheckout('ref-1')));
    expect(fake.subscriptions).toHaveLength(1);
    for (const state of states)
      expect(state.providerSubscriptionId).toBe(fake.subscriptions[0]?.subscription_code);
  });

  it('continues an interrupted plan change without a second subscription', async () => {
    await payments.startCheckout(request);
    fake.pay('ref-1');
    const { providerSubscriptionId } = await payments.getCheckout('ref-1');
    const change = {
      providerSubscriptionId: providerSubscriptionId ?? '',
      plan: 'annual' as const,
      amount: 79_000,
      startsAt: START + 1,
    };
    fake.setFault('down', 'POST /subscription/disable');
    await expect(payments.changePlan(change)).rejects.toMatchObject({ kind: 'temporary' });
    expect(fake.subscriptions.map(({ status }) => status)).toEqual(['active', 'active']);
    fake.setFault(null);
    await payments.changePlan(change);
    expect(fake.subscriptions.map(({ status }) => status)).toEqual(['non-renewing', 'active']);
  });

  const passTo = (time: number) => {
    clock.set(time);
    fake.passTo(time);
  };
  const subscribe = async (change: Partial<typeof request> = {}, card?: string) => {
    const { reference } = { ...request, ...change };
    await payments.startCheckout({ ...request, ...change });
    fake.pay(reference, card);
    const { providerSubscriptionId } = await payments.getCheckout(reference);
    return providerSubscriptionId ?? '';
  };
  const listPaid = async (id: string) =>
    (await payments.getProviderSubscription(id)).charges.map(({ at, amount }) => [at, amount]);
  const statuses = () => fake.subscriptions.map(({ status }) => status);
  const toAnnual = (providerSubscriptionId: string, amount = 79_000) =>
    payments.changePlan({
      providerSubscriptionId,
      plan: 'annual',
      amount,
      startsAt: START + 30 * DAY,
    });

  it('changes nothing if the other plan has another price at Paystack', async () => {
    const id = await subscribe();
    await expect(toAnnual(id, 69_000)).rejects.toMatchObject({ kind: 'refused' });
    expect(statuses()).toEqual(['active']);
    expect(fake.seen).not.toContain('POST /subscription/disable');
  });

  it('never charges for two plans when a change stops half-way, and continues when asked again', async () => {
    const id = await subscribe();
    fake.setFault('error', 'POST /subscription');
    await expect(toAnnual(id)).rejects.toMatchObject({ kind: 'temporary' });
    expect(statuses()).toEqual(['active']);
    fake.setFault('down', 'POST /subscription/disable');
    await expect(toAnnual(id)).rejects.toMatchObject({ kind: 'temporary' });
    expect(statuses()).toEqual(['active', 'active']);
    fake.setFault(null);
    const { providerSubscriptionId } = await toAnnual(id);
    expect(statuses()).toEqual(['non-renewing', 'active']);
    expect(providerSubscriptionId).toBe(fake.subscriptions[1]?.subscription_code);
    passTo(START + 31 * DAY);
    const paid = fake.transactions.filter(({ status }) => status === 'success');
    expect(paid.map(({ amount }) => amount)).toEqual([7900, 79_000]);
  });

  it('finds the subscription it created when the response was lost', async () => {
    const id = await subscribe();
    fake.setFault('lost', 'POST /subscription');
    const { providerSubscriptionId } = await toAnnual(id);
    expect(providerSubscriptionId).toBe(fake.subscriptions[1]?.subscription_code);
    expect(statuses()).toEqual(['non-renewing', 'active']);
  });

  it('creates one subscription when two tabs change the plan at once', async () => {
    const id = await subscribe();
    const [one, two] = await Promise.all([toAnnual(id), toAnnual(id)]);
    expect(two).toEqual(one);
    expect(statuses()).toEqual(['non-renewing', 'active']);
  });

  it('keeps the current plan when another one is refused', async () => {
    const id = await subscribe();
    fake.setFault('refused', 'POST /subscription');
    await expect(toAnnual(id)).rejects.toMatchObject({ kind: 'refused' });
    expect(statuses()).toEqual(['active']);
  });

  it("returns to the user's old price, even if new subscribers pay more", async () => {
    const id = await subscribe();
    await toAnnual(id);
    fake.plans.PLN_new = { id: 30, plan_code: 'PLN_new', amount: 9900, interval: 'monthly' };
    payments = connectPaystack(fake, clock, {
      ...PAYSTACK_PLANS,
      monthly: ['PLN_new', 'PLN_monthly'],
    });
    const annual = fake.subscriptions[1]?.subscription_code ?? '';
    const change = {
      providerSubscriptionId: annual,
      plan: 'monthly' as const,
      amount: 7900,
      startsAt: START + 30 * DAY,
    };
    const { providerSubscriptionId } = await payments.changePlan(change);
    expect(providerSubscriptionId).not.toBe(id);
    expect(fake.subscriptions.map(({ plan, status }) => [plan.plan_code, status])).toEqual([
      ['PLN_monthly', 'non-renewing'],
      ['PLN_annual', 'non-renewing'],
      ['PLN_monthly', 'active'],
    ]);
  });

  it('starts the plan at the price the user saw, even if the price changed before payment', async () => {
    await payments.startCheckout({ ...request, amount: 3950 });
    fake.plans.PLN_new = { id: 30, plan_code: 'PLN_new', amount: 9900, interval: 'monthly' };
    payments = connectPaystack(fake, clock, {
      ...PAYSTACK_PLANS,
      monthly: ['PLN_new', 'PLN_monthly'],
    });
    fake.pay('ref-1');
    await payments.getCheckout('ref-1');
    expect(fake.subscriptions.map(({ plan }) => plan.plan_code)).toEqual(['PLN_monthly']);
  });

  describe('with two users who had the same e-mail address', () => {
    let before: string;
    let after: string;
    const join = async (later: number) => {
      before = await subscribe({}, 'hers');
      passTo(later);
      after = await subscribe({ reference: 'ref-2' }, 'his');
    };
    const month = (from: number) => payments.calendar.addPeriod(from, 'monthly');

    it('assigns payments by card, even on the same day', async () => {
      const later = START + 60_000;
      await join(later);
      expect(after).not.toBe(before);
      passTo(month(later));
      expect(await listPaid(before)).toEqual([
        [START, 7900],
        [month(START), 7900],
      ]);
      expect(await listPaid(after)).toEqual([
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
      expect(await listPaid(before)).toEqual([
        [START, 7900],
        [month(START), 7900],
        [month(month(START)), 7900],
      ]);
      expect(await listPaid(after)).toHaveLength(3);
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
      await expect(toAnnual(before)).rejects.toMatchObject({ kind: 'refused' });
      expect((await payments.getProviderSubscription(before)).providerSubscription).toMatchObject({
        status: 'active',
        plan: 'monthly',
        nextPlan: null,
      });
    });
  });

  it("finds refunds even if other customers' refunds fill more pages than it reads", async () => {
    await payments.startCheckout(request);
    fake.pay('ref-1');
    const { providerSubscriptionId, customerId } = await payments.getCheckout('ref-1');
    clock.set(START + 31 * DAY);
    fake.passTo(START + 31 * DAY);
    await payments.refund({ chargeId: 'ref-1', amount: 7900, key: 'back' });
    fake.refundOthers(600);
    fake.shortenPages(70);
    const [state] = await payments.listProviderSubscriptions(customerId ?? '');
    expect(state?.providerSubscription.id).toBe(providerSubscriptionId);
    expect(state?.charges.map(({ refunded }) => refunded)).toEqual([7900, 0]);
    fake.shortenPages(1);
    const [again] = await payments.listProviderSubscriptions(customerId ?? '');
    expect(again).toEqual(state);
  });

  it.each(['javascript:alert(1)', 'http://checkout.paystack.com/x', 'file:///etc/passwd'])(
    'never redirects to %s',
    (authorization_url) => {
      const answer = { authorization_url, access_code: 'x', reference: 'ref-1' };
      expect(InitializedTransaction.safeParse(answer).success).toBe(false);
      expect(ManageLink.safeParse({ link: authorization_url }).success).toBe(false);
      expect(PortalSession.safeParse({ url: authorization_url }).success).toBe(false);
    },
  );

  it('names every customer whose card expires', async () => {
    const item = (n: number) => ({
      expiry_date: '12/2026',
      description: 'visa ending with 4081',
      brand: 'visa',
      subscription: {
        id: n,
        subscription_code: `SUB_${n}`,
        amount: 7900,
        next_payment_date: '2026-12-15T12:00:00.000Z',
        plan: { interval: 'monthly', id: 28, name: 'Premium', plan_code: 'PLN_monthly' },
      },
      customer: {
        id: n,
        first_name: null,
        last_name: null,
        email: 'a@example.com',
        customer_code: `CUS_${n}`,
      },
    });
    const webhookEvent = await parse('subscription.expiring_cards', [item(1), item(2)]);
    expect(webhookEvent?.subjects).toMatchObject([
      { providerSubscriptionId: 'SUB_1', customerId: 'CUS_1', plan: 'monthly' },
      { providerSubscriptionId: 'SUB_2', customerId: 'CUS_2', plan: 'monthly' },
    ]);
  });

  it.each(['subscription.not_renew', 'subscription.disable'])('reads %s', async (event) => {
    const webhookEvent = await parse(event, {
      subscription_code: 'SUB_1',
      status: 'non-renewing',
      plan: { plan_code: 'PLN_annual' },
      customer: { customer_code: 'CUS_1' },
      next_payment_date: null,
    });
    expect(webhookEvent).toMatchObject({
      kind: event,
      subjects: [{ providerSubscriptionId: 'SUB_1', customerId: 'CUS_1', plan: 'annual' }],
    });
  });

  it.each([
    ['charge.success', {}],
    ['invoice.update', null],
    ['subscription.expiring_cards', {}],
  ])('gives no subjects when %s is signed but has an unknown format', async (event, data) => {
    expect(await parse(event, data)).toMatchObject({ kind: event, subjects: [] });
  });

  it('keeps its key out of error messages', async () => {
    fake.setFault('refused');
    const error = await payments
      .getProviderSubscription('SUB_1')
      .catch((caught: unknown) => caught);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(PAYSTACK_KEY);
  });
});
