import { describe, expect, it } from 'vitest';
import { PAYSTACK_KEY } from '../../../testing/fake-paystack.ts';
import { START } from '../../../testing/fake-providers.ts';
import {
  countSeen,
  fake,
  listTaken,
  month,
  passTo,
  payments,
  readPaid,
  readState,
  request,
  subscribe,
  usePaystack,
} from '../../../testing/paystack/use-paystack.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

usePaystack();

const payWith = async (card?: string, change: Partial<typeof request> = {}) => {
  await payments.startCheckout({ ...request, ...change });
  fake.pay('ref-1', card);
};

describe('a paid checkout without a subscription', () => {
  it('shows its payment, and finds the subscription that comes late', async () => {
    fake.holdSubscriptions();
    await payWith();
    expect(await payments.getCheckout('ref-1')).toMatchObject({
      state: 'paid',
      providerSubscriptionId: null,
      customerId: expect.stringMatching(/^CUS_/),
      charge: { id: 'ref-1', reference: 'ref-1', status: 'paid', amount: 7900, plan: 'monthly' },
    });
    expect(countSeen('POST /subscription')).toBe(0);
    passTo(START + HOUR);
    fake.releaseSubscriptions();
    const id = fake.subscriptions[0]?.subscription_code ?? '';
    expect((await payments.getCheckout('ref-1')).providerSubscriptionId).toBe(id);
    expect(await payments.finishCheckout('ref-1')).toEqual({ providerSubscriptionId: id });
    expect(countSeen('POST /subscription')).toBe(0);
  });

  it('gets one from the end of the paid period, however often and at once it is asked for', async () => {
    fake.holdSubscriptions();
    await payWith();
    passTo(START + 2 * HOUR);
    const [one, two] = await Promise.all([1, 2].map(() => payments.finishCheckout('ref-1')));
    const id = one?.providerSubscriptionId ?? '';
    expect(two).toEqual(one);
    expect(await payments.finishCheckout('ref-1')).toEqual(one);
    expect((await payments.getCheckout('ref-1')).providerSubscriptionId).toBe(id);
    expect(await readState(id)).toMatchObject({ status: 'active', nextChargeAt: month(START) });
    expect(await readPaid(id)).toEqual([[START, 7900]]);
    passTo(month(START));
    expect(listTaken()).toEqual([
      [START, 7900],
      [month(START), 7900],
    ]);
    expect(await readPaid(id)).toHaveLength(2);
  });

  it('gets one even if the first answer was lost', async () => {
    fake.holdSubscriptions();
    await payWith();
    fake.setFault('lost', 'POST /subscription');
    const { providerSubscriptionId } = await payments.finishCheckout('ref-1');
    expect(providerSubscriptionId).toBe(fake.subscriptions[0]?.subscription_code);
    fake.setFault('down', 'POST /subscription');
    expect(await payments.finishCheckout('ref-1')).toEqual({ providerSubscriptionId });
    expect(fake.subscriptions).toHaveLength(1);
  });

  it('fails instead of giving up while Paystack does not answer', async () => {
    fake.holdSubscriptions();
    await payWith();
    fake.setFault('down', 'POST /subscription');
    await expect(payments.finishCheckout('ref-1')).rejects.toMatchObject({ kind: 'temporary' });
  });

  it('gets none if the card cannot be charged again', async () => {
    await payWith('single-use');
    expect(await payments.getCheckout('ref-1')).toMatchObject({
      state: 'paid',
      providerSubscriptionId: null,
      charge: { status: 'paid', amount: 7900 },
    });
    expect(await payments.finishCheckout('ref-1')).toEqual({ providerSubscriptionId: null });
    expect(countSeen('POST /subscription')).toBe(0);
  });

  it('is nothing to finish if it is unpaid or unknown', async () => {
    await payments.startCheckout(request);
    expect(await payments.finishCheckout('ref-1')).toEqual({ providerSubscriptionId: null });
    expect(await payments.finishCheckout('ref-of-nobody')).toEqual({
      providerSubscriptionId: null,
    });
  });
});

describe('a reduced first payment', () => {
  it('is shown even if its subscription can’t be made now, and finished later', async () => {
    await payments.startCheckout({ ...request, amount: 3950 });
    fake.pay('ref-1');
    fake.setFault('error', 'POST /subscription');
    expect(await payments.getCheckout('ref-1')).toMatchObject({
      state: 'paid',
      providerSubscriptionId: null,
      charge: { amount: 3950 },
    });
    fake.setFault(null);
    passTo(START + HOUR);
    const { providerSubscriptionId } = await payments.finishCheckout('ref-1');
    expect((await readState(providerSubscriptionId ?? '')).nextChargeAt).toBe(month(START));
  });

  it('is shown without a subscription if its card can’t be charged again', async () => {
    await payWith('single-use', { amount: 3950 });
    expect(await payments.getCheckout('ref-1')).toMatchObject({
      state: 'paid',
      providerSubscriptionId: null,
      charge: { amount: 3950 },
    });
  });

  it('paid hours after the page was opened covers a whole period', async () => {
    await payments.startCheckout({ ...request, amount: 3950 });
    passTo(START + 5 * HOUR);
    fake.pay('ref-1');
    const { providerSubscriptionId } = await payments.getCheckout('ref-1');
    expect((await readState(providerSubscriptionId ?? '')).nextChargeAt).toBe(
      month(START + 5 * HOUR),
    );
  });
});

it('fails a trial whose card can’t be charged later, and gives the check back', async () => {
  await payWith('single-use', { firstChargeAt: START + 14 * DAY });
  expect(await payments.getCheckout('ref-1')).toMatchObject({
    state: 'failed',
    providerSubscriptionId: null,
    charge: null,
  });
  expect(countSeen('POST /refund')).toBe(1);
});

it('tells the same card of two customers', async () => {
  const fingerprint = async (reference: string) =>
    (await payments.getCheckout(reference)).cardFingerprint;
  await subscribe({}, 'shared');
  await subscribe({ reference: 'ref-2', email: 'sipho@example.com' }, 'shared');
  await subscribe({ reference: 'ref-3', email: 'lerato@example.com' }, 'another');
  expect(await fingerprint('ref-1')).toBe(await fingerprint('ref-2'));
  expect(await fingerprint('ref-3')).not.toBe(await fingerprint('ref-1'));
  expect(await fingerprint('ref-1')).not.toBeNull();
});

it('starts no checkout if Paystack charges the plan in another interval', async () => {
  const monthly = fake.plans.PLN_monthly;
  if (monthly) monthly.interval = 'annually';
  await expect(payments.startCheckout(request)).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('the plan PLN_monthly is charged annually at Paystack'),
  });
  expect(countSeen('POST /transaction/initialize')).toBe(0);
});

it('accepts an hourly plan in test mode', async () => {
  const monthly = fake.plans.PLN_monthly;
  if (monthly) monthly.interval = 'hourly';
  expect(PAYSTACK_KEY).toMatch(/^sk_test_/);
  expect((await payments.startCheckout(request)).url).toMatch(/^https:/);
});

it('calls a payment that Paystack does not have missing, although that is a bad request there', async () => {
  const refunded = payments.refund({ chargeId: 'ref-of-nobody', amount: 100, key: 'k' });
  await expect(refunded).rejects.toMatchObject({ kind: 'not-found' });
  fake.setFault('refused');
  await expect(payments.getCheckout('ref-1')).rejects.toMatchObject({ kind: 'refused' });
});
