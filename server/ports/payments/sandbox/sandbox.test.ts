import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts';
import type { CheckoutRequest } from '../payments.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { DAY } from '#contract/rules/time.ts';

const START = Date.UTC(2026, 10, 15, 12);
const at = (text: string) => Date.parse(text);

let database: TestDatabase;
let sandbox: Sandbox;
let now: number;
beforeEach(async () => {
  database = await createTestDatabase();
  now = START;
  const site = { origin: 'https://site.example' };
  sandbox = createSandbox({ database, clock: { now: () => now }, site });
});
afterEach(() => database.close());

const request = (change: Partial<CheckoutRequest> = {}): CheckoutRequest => ({
  reference: 'ref-1',
  userId: 'user-1',
  email: 'thandi@example.com',
  customerId: null,
  plan: 'monthly',
  amount: 7900,
  renewalAmount: 7900,
  currency: 'ZAR',
  firstChargeAt: START,
  successUrl: 'https://site.example/subscription-success',
  cancelUrl: 'https://site.example/pricing',
  ...change,
});

const subscribe = async (
  card: Parameters<Sandbox['pay']>[1]['card'] = 'success',
  change: Partial<CheckoutRequest> = {},
) => {
  const { reference } = request(change);
  await sandbox.payments.startCheckout(request(change));
  await sandbox.pay(reference, { card });
  const { providerSubscriptionId } = await sandbox.payments.getCheckout(reference);
  if (!providerSubscriptionId) throw new Error('The checkout made no subscription.');
  return providerSubscriptionId;
};

const read = (id: string) => sandbox.payments.getProviderSubscription(id);
const chargesOf = async (id: string) =>
  (await read(id)).charges.map(({ status, amount, plan }) => `${status} ${amount} ${plan}`);
const passTo = async (time: number) => {
  now = time;
  await sandbox.renewDue();
};

describe('a subscription', () => {
  it('is charged again on the same day of every month', async () => {
    const id = await subscribe();
    await passTo(at('2026-12-15T11:59:59Z'));
    expect(await chargesOf(id)).toEqual(['paid 7900 monthly']);
    await passTo(at('2026-12-15T12:00:00Z'));
    await passTo(at('2027-01-15T12:00:00Z'));
    expect(await chargesOf(id)).toEqual(Array(3).fill('paid 7900 monthly'));
    const { providerSubscription } = await read(id);
    expect(providerSubscription).toMatchObject({
      status: 'active',
      nextChargeAt: at('2027-02-15T12:00:00Z'),
      nextAmount: 7900,
    });
  });

  it('is charged once after a downtime, and on time from then on', async () => {
    const id = await subscribe();
    await passTo(at('2027-04-20T08:00:00Z'));
    await sandbox.renewDue();
    expect(await chargesOf(id)).toHaveLength(2);
    expect((await read(id)).providerSubscription.nextChargeAt).toBe(at('2027-05-20T08:00:00Z'));
  });

  it('becomes late when the bank declines, is retried for three days, then ends', async () => {
    const id = await subscribe('renews-then-fails');
    await passTo(at('2026-12-15T12:00:00Z'));
    expect((await read(id)).providerSubscription.status).toBe('active');
    const due = at('2027-01-15T12:00:00Z');
    await passTo(due);
    const late = await read(id);
    expect(late.providerSubscription).toMatchObject({ status: 'late', nextChargeAt: due + DAY });
    expect(late.charges.at(-1)).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining('insufficient funds'),
    });
    for (const day of [1, 2]) await passTo(due + day * DAY);
    expect((await read(id)).providerSubscription.status).toBe('late');
    await passTo(due + 3 * DAY);
    expect((await read(id)).providerSubscription).toMatchObject({
      status: 'ended',
      nextChargeAt: null,
    });
    expect(await chargesOf(id)).toHaveLength(6);
  });

  it('is paid at once by a new card, and keeps its due date', async () => {
    const id = await subscribe('pays-once');
    const due = at('2026-12-15T12:00:00Z');
    await passTo(due);
    now = due + 2 * DAY - 1;
    await sandbox.replaceCard(id, 'success');
    const { providerSubscription, charges } = await read(id);
    expect(providerSubscription).toMatchObject({
      status: 'active',
      nextChargeAt: at('2027-01-15T12:00:00Z'),
      card: { brand: 'Visa', last4: '4242' },
    });
    expect(charges.at(-1)?.status).toBe('paid');
  });

  it('ends with its period once it is cancelled', async () => {
    const id = await subscribe();
    await sandbox.payments.cancelAtPeriodEnd(id);
    expect((await read(id)).providerSubscription).toMatchObject({
      status: 'ending',
      nextChargeAt: null,
    });
    await passTo(at('2026-12-15T12:00:00Z'));
    expect((await read(id)).providerSubscription.status).toBe('ended');
    expect(await chargesOf(id)).toHaveLength(1);
  });

  it('changes its plan with the next payment', async () => {
    const id = await subscribe();
    const startsAt = at('2026-12-20T00:00:00Z');
    const change = {
      providerSubscriptionId: id,
      plan: 'annual',
      amount: 79_000,
      startsAt,
    } as const;
    await sandbox.payments.changePlan(change);
    expect((await read(id)).providerSubscription).toMatchObject({
      plan: 'monthly',
      nextPlan: 'annual',
      nextAmount: 79_000,
      nextChargeAt: startsAt,
    });
    await passTo(startsAt);
    expect((await read(id)).providerSubscription).toMatchObject({
      plan: 'annual',
      nextPlan: null,
      nextChargeAt: at('2027-12-20T00:00:00Z'),
    });
    expect((await chargesOf(id)).at(-1)).toBe('paid 79000 annual');
  });
});

describe('a checkout', () => {
  it('with a trial only stores the card and charges later', async () => {
    const firstChargeAt = START + 14 * DAY;
    const id = await subscribe('success', { firstChargeAt });
    const checkout = await sandbox.payments.getCheckout('ref-1');
    expect(checkout).toMatchObject({ state: 'paid', charge: null });
    expect((await read(id)).providerSubscription).toMatchObject({
      nextChargeAt: firstChargeAt,
      nextAmount: 7900,
    });
    await passTo(firstChargeAt);
    expect(await chargesOf(id)).toEqual(['paid 7900 monthly']);
  });

  it('with a coupon charges less once', async () => {
    const id = await subscribe('success', { amount: 3950 });
    await passTo(at('2026-12-15T12:00:00Z'));
    expect(await chargesOf(id)).toEqual(['paid 3950 monthly', 'paid 7900 monthly']);
  });

  it('expires after a day', async () => {
    await sandbox.payments.startCheckout(request());
    now = START + DAY;
    expect(await sandbox.pay('ref-1', { card: 'success' })).toEqual({ state: 'closed' });
    expect((await sandbox.payments.getCheckout('ref-1')).state).toBe('failed');
  });

  it('is paid once when two pages pay at the same time', async () => {
    await sandbox.payments.startCheckout(request());
    await Promise.all([1, 2].map(() => sandbox.pay('ref-1', { card: 'success' })));
    const { customerId } = await sandbox.payments.getCheckout('ref-1');
    const subscriptions = await sandbox.payments.listProviderSubscriptions(customerId ?? '');
    expect(subscriptions.map(({ charges }) => charges.length)).toEqual([1]);
  });

  it('with a confirmation is paid after approval and not after a refusal', async () => {
    await sandbox.payments.startCheckout(request());
    const card = 'confirmation';
    expect(await sandbox.pay('ref-1', { card })).toEqual({ state: 'confirm' });
    const refused = await sandbox.pay('ref-1', { card, isConfirmed: false });
    expect(refused.state).toBe('declined');
    expect((await sandbox.payments.getCheckout('ref-1')).state).toBe('open');
    expect(await sandbox.pay('ref-1', { card, isConfirmed: true })).toEqual({ state: 'paid' });
  });
});

it('sends each webhook event once, in order', async () => {
  const id = await subscribe('pays-once');
  await passTo(at('2026-12-15T12:00:00Z'));
  await sandbox.payments.cancelAtPeriodEnd(id);
  const { payments } = sandbox;
  const events = await Promise.all(
    (await sandbox.drainWebhooks()).map(({ headers, rawBody }) =>
      payments.parseWebhook(headers, rawBody),
    ),
  );
  expect(events.map((event) => event?.kind)).toEqual([
    'checkout.paid',
    'charge.failed',
    'subscription.ended',
  ]);
  expect(await sandbox.drainWebhooks()).toEqual([]);
});

it('can shorten a month to seconds', async () => {
  const site = { origin: 'https://site.example' };
  sandbox = createSandbox({ database, clock: { now: () => now }, site, monthMs: 3000 });
  const id = await subscribe('pays-once');
  await passTo(START + 3000);
  expect((await read(id)).providerSubscription).toMatchObject({
    status: 'late',
    nextChargeAt: START + 3100,
  });
});
