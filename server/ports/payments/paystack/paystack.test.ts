import { describe, expect, it } from 'vitest';
import { PAYSTACK_KEY, PAYSTACK_PLANS } from '../../../testing/fake-paystack.ts';
import { connectPaystack, createPaystackSubject, START } from '../../../testing/fake-providers.ts';
import { describePaymentFaults, describePayments } from '../../../testing/payments-contract.ts';
import {
  clock,
  countSeen,
  fake,
  passTo,
  payments,
  request,
  restart,
  usePaystack,
} from '../../../testing/paystack/use-paystack.ts';
import { PortalSession } from '../stripe/shapes.ts';
import { InitializedTransaction, ManageLink } from './shapes.ts';
import { DAY } from '#contract/rules/time.ts';

describePayments('Paystack', createPaystackSubject);
describePaymentFaults('Paystack', createPaystackSubject);

describe('Paystack alone', () => {
  usePaystack();

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
    expect(countSeen('POST /transaction/initialize')).toBe(1);
  });

  it('refunds a card check once', async () => {
    await payments.startCheckout({ ...request, firstChargeAt: START + 14 * DAY });
    fake.pay('ref-1');
    for (const _ of [1, 2, 3])
      expect(await payments.getCheckout('ref-1')).toMatchObject({
        charge: null,
        cardCheck: { id: 'ref-1', amount: 100, refunded: 100 },
      });
    expect(countSeen('POST /refund')).toBe(1);
    expect(countSeen('POST /subscription')).toBe(1);
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

  it('starts the plan at the price the user saw, even if the price changed before payment', async () => {
    await payments.startCheckout({ ...request, amount: 3950 });
    fake.plans.PLN_new = { id: 30, plan_code: 'PLN_new', amount: 9900, interval: 'monthly' };
    restart({
      ...PAYSTACK_PLANS,
      monthly: ['PLN_new', 'PLN_monthly'],
    });
    fake.pay('ref-1');
    await payments.getCheckout('ref-1');
    expect(fake.subscriptions.map(({ plan }) => plan.plan_code)).toEqual(['PLN_monthly']);
  });

  it("finds refunds even if other customers' refunds fill more pages than it reads", async () => {
    await payments.startCheckout(request);
    fake.pay('ref-1');
    const { providerSubscriptionId, customerId } = await payments.getCheckout('ref-1');
    passTo(START + 31 * DAY);
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

  it('keeps its key out of error messages', async () => {
    fake.setFault('refused');
    const error = await payments
      .getProviderSubscription('SUB_1')
      .catch((caught: unknown) => caught);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(PAYSTACK_KEY);
  });
});
