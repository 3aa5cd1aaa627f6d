/** @module-tag both-databases */
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

  it('is late until its next date when the bank declines, and tried again only then', async () => {
    const id = await subscribe('renews-then-fails');
    await passTo(at('2026-12-15T12:00:00Z'));
    expect((await read(id)).providerSubscription.status).toBe('active');
    await passTo(at('2027-01-15T12:00:00Z'));
    const late = await read(id);
    const next = at('2027-02-15T12:00:00Z');
    expect(late.providerSubscription).toMatchObject({ status: 'late', nextChargeAt: next });
    expect(late.charges.at(-1)).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining('insufficient funds'),
    });
    await passTo(next - 1);
    expect((await read(id)).charges).toHaveLength(3);
    await passTo(next);
    expect((await read(id)).providerSubscription.status).toBe('late');
    expect((await read(id)).charges).toHaveLength(4);
    await sandbox.fillAccount(id);
    await passTo(at('2027-03-15T12:00:00Z'));
    expect((await read(id)).providerSubscription.status).toBe('active');
  });

  const owed = (id: string, reference: string) => ({
    providerSubscriptionId: id,
    reference,
    plan: 'monthly' as const,
    amount: 7900,
  });

  it('checks a new card with R1 that is refunded at once, and pays nothing that is owed', async () => {
    const id = await subscribe('pays-once');
    const due = at('2026-12-15T12:00:00Z');
    await passTo(due);
    now = due + 2 * DAY - 1;
    await sandbox.drainWebhooks();
    expect(await sandbox.replaceCard(id, 'success')).toEqual({ state: 'replaced' });
    const { providerSubscription, charges } = await read(id);
    expect(providerSubscription).toMatchObject({
      status: 'late',
      nextChargeAt: at('2027-01-15T12:00:00Z'),
      card: { brand: 'Visa', last4: '4242' },
    });
    expect(charges.map(({ status }) => status)).toEqual(['paid', 'failed']);
    const check = await database.db
      .selectFrom('sandbox_charges')
      .selectAll()
      .where('provider_subscription_id', 'is', null)
      .executeTakeFirstOrThrow();
    expect(check).toMatchObject({ amount: 100, refunded: 100, status: 'paid' });
    const webhooks = await Promise.all(
      (await sandbox.drainWebhooks()).map(({ headers, rawBody }) =>
        sandbox.payments.parseWebhook(headers, rawBody),
      ),
    );
    expect(webhooks[0]?.subjects).toMatchObject([{ chargeId: check.id, reference: null }]);
    expect(await sandbox.payments.isOurs(check.id)).toBe(false);
    await sandbox.payments.payOwed(owed(id, 'owed-1'));
    expect((await read(id)).providerSubscription).toMatchObject({
      status: 'active',
      nextChargeAt: at('2027-01-15T12:00:00Z'),
    });
  });

  it('keeps its card if the new one is declined', async () => {
    const id = await subscribe();
    for (const card of ['insufficient-funds', 'expired', 'one-payment'] as const)
      expect(await sandbox.replaceCard(id, card)).toEqual({
        state: 'declined',
        message: expect.stringMatching(/^Your bank declined/),
      });
    expect((await read(id)).providerSubscription.card?.last4).toBe('4242');
  });

  it('charges an amount that was edited at the provider from the next payment on', async () => {
    const id = await subscribe();
    await sandbox.editAmount(id, 9900);
    await passTo(at('2026-12-15T12:00:00Z'));
    await passTo(at('2027-01-15T12:00:00Z'));
    expect((await read(id)).charges.map(({ amount }) => amount)).toEqual([7900, 9900, 9900]);
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

  const change = (id: string, plan: 'monthly' | 'annual', amount: number) => ({
    providerSubscriptionId: id,
    plan,
    amount,
    startsAt: at('2026-12-15T12:00:00Z'),
  });

  it('is replaced by another one that starts with the next payment when its plan changes', async () => {
    const id = await subscribe();
    const changed = await sandbox.payments.changePlan(change(id, 'annual', 79_000));
    const next = changed.providerSubscriptionId;
    expect(next).not.toBe(id);
    expect((await read(id)).providerSubscription.status).toBe('ending');
    expect((await read(next)).providerSubscription).toMatchObject({
      plan: 'monthly',
      nextPlan: 'annual',
      nextAmount: 79_000,
      nextChargeAt: at('2026-12-15T12:00:00Z'),
    });
    await passTo(at('2026-12-15T12:00:00Z'));
    expect((await read(id)).providerSubscription.status).toBe('ended');
    expect((await read(next)).providerSubscription).toMatchObject({
      plan: 'annual',
      nextPlan: null,
      nextChargeAt: at('2027-12-15T12:00:00Z'),
    });
    expect(await chargesOf(id)).toEqual(['paid 7900 monthly']);
    expect(await chargesOf(next)).toEqual(['paid 79000 annual']);
  });

  it('is never revived once cancelled: another one starts at the end of the paid period', async () => {
    const id = await subscribe();
    await sandbox.payments.cancelAtPeriodEnd(id);
    now += DAY;
    const resumed = await sandbox.payments.resume(change(id, 'monthly', 7900));
    expect(resumed.providerSubscriptionId).not.toBe(id);
    expect(await sandbox.payments.resume(change(id, 'monthly', 7900))).toEqual(resumed);
    expect((await read(id)).providerSubscription.status).toBe('ending');
    await passTo(at('2026-12-15T12:00:00Z'));
    expect((await read(id)).providerSubscription.status).toBe('ended');
    expect(await chargesOf(resumed.providerSubscriptionId)).toEqual(['paid 7900 monthly']);
  });

  it('gets another price from a date on, and the old one back', async () => {
    const id = await subscribe();
    const dearer = await sandbox.payments.changePlan(change(id, 'monthly', 9900));
    expect((await read(dearer.providerSubscriptionId)).providerSubscription).toMatchObject({
      plan: 'monthly',
      nextPlan: null,
      nextAmount: 9900,
    });
    const back = await sandbox.payments.changePlan(
      change(dearer.providerSubscriptionId, 'monthly', 7900),
    );
    await passTo(at('2026-12-15T12:00:00Z'));
    expect(await chargesOf(back.providerSubscriptionId)).toEqual(['paid 7900 monthly']);
    expect(await chargesOf(dearer.providerSubscriptionId)).toEqual([]);
  });
});

describe('a dispute', () => {
  const chargeOf = async (id: string) => (await read(id)).charges[0];

  it('has 48 hours to be answered and is lost by silence', async () => {
    const id = await subscribe();
    const chargeId = (await chargeOf(id))?.id ?? '';
    await sandbox.dispute(chargeId);
    const open = { state: 'open', respondBy: START + 2 * DAY };
    expect((await chargeOf(id))?.dispute).toEqual(open);
    await passTo(START + 2 * DAY - 1);
    await sandbox.loseUnanswered(chargeId);
    expect((await chargeOf(id))?.dispute).toEqual(open);
    await passTo(START + 2 * DAY);
    expect((await chargeOf(id))?.dispute).toEqual({ ...open, state: 'lost' });
    await sandbox.endDispute(chargeId, 'won');
    expect((await chargeOf(id))?.dispute?.state).toBe('lost');
  });

  it.each([
    ['won', null],
    ['lost', { state: 'lost', respondBy: START + 2 * DAY }],
  ] as const)('that the bank decides in time is %s', async (outcome, expected) => {
    const id = await subscribe();
    const chargeId = (await chargeOf(id))?.id ?? '';
    await sandbox.dispute(chargeId);
    await sandbox.endDispute(chargeId, outcome);
    await passTo(START + 3 * DAY);
    expect((await chargeOf(id))?.dispute).toEqual(expected);
  });
});

describe('the books', () => {
  it('have a fee for each payment and a payout for each week', async () => {
    const id = await subscribe();
    const [charge] = (await read(id)).charges;
    // 2.9 % of R79 is R2.291.
    expect(charge?.fee).toBe(229 + 100);
    await sandbox.payments.refund({ chargeId: charge?.id ?? '', amount: 1000, key: 'part' });
    const { listPayouts } = sandbox.payments;
    const all = { from: 0, to: at('2028-01-01T00:00:00Z') };
    expect(await listPayouts(all)).toEqual([]);
    await passTo(at('2026-12-22T12:00:00Z'));
    expect(await listPayouts(all)).toEqual([
      {
        id: expect.any(String),
        at: at('2026-11-16T00:00:00Z'),
        amount: 7900 - 329 - 1000,
        fees: 329,
        currency: 'ZAR',
      },
    ]);
    await passTo(at('2026-12-29T12:00:00Z'));
    expect((await listPayouts(all)).map(({ amount }) => amount)).toEqual([6571, 7571]);
    expect(await listPayouts({ from: 0, to: at('2026-11-16T00:00:00Z') })).toEqual([]);
    expect(await listPayouts({ ...all, from: at('2026-11-16T00:00:01Z') })).toHaveLength(1);
  });

  it('pay out nothing until a lost dispute is earned back', async () => {
    const id = await subscribe();
    await passTo(at('2026-11-17T00:00:00Z'));
    const [charge] = (await read(id)).charges;
    await sandbox.dispute(charge?.id ?? '');
    await sandbox.endDispute(charge?.id ?? '', 'lost');
    await passTo(at('2026-12-15T12:00:00Z'));
    await passTo(at('2027-02-01T12:00:00Z'));
    const payouts = await sandbox.payments.listPayouts({ from: 0, to: at('2028-01-01T00:00:00Z') });
    const sum = payouts.reduce((total, { amount }) => total + amount, 0);
    const kept = (await read(id)).charges.reduce(
      (total, { amount, fee, dispute }) => total + (dispute ? 0 : amount) - (fee ?? 0),
      0,
    );
    expect(payouts.every(({ amount }) => amount > 0)).toBe(true);
    expect(sum).toBeLessThanOrEqual(kept + 7900);
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

  it('with a card for one payment is paid, but makes no subscription', async () => {
    await sandbox.payments.startCheckout(request());
    expect(await sandbox.pay('ref-1', { card: 'one-payment' })).toEqual({ state: 'paid' });
    const checkout = await sandbox.payments.getCheckout('ref-1');
    expect(checkout).toMatchObject({
      state: 'paid',
      providerSubscriptionId: null,
      charge: { status: 'paid', amount: 7900, reference: 'ref-1' },
    });
    expect(await sandbox.payments.isOurs(checkout.charge?.id ?? '')).toBe(true);
    expect(await sandbox.payments.finishCheckout('ref-1')).toEqual({
      providerSubscriptionId: null,
    });
    expect(await sandbox.payments.listProviderSubscriptions(checkout.customerId ?? '')).toEqual([]);
    const chargeId = checkout.charge?.id ?? '';
    await sandbox.payments.refund({ chargeId, amount: 7900, key: 'back' });
    expect((await sandbox.payments.getCheckout('ref-1')).charge?.refunded).toBe(7900);
  });

  it('with a trial refuses a card for one payment', async () => {
    await sandbox.payments.startCheckout(request({ firstChargeAt: START + DAY }));
    expect(await sandbox.pay('ref-1', { card: 'one-payment' })).toMatchObject({
      state: 'declined',
    });
  });

  it.each(['finishCheckout', 'finish'] as const)(
    'gets its subscription later, once, from the end of the paid period: %s',
    async (name) => {
      await sandbox.payments.startCheckout(request());
      await sandbox.pay('ref-1', { card: 'late-subscription' });
      expect((await sandbox.payments.getCheckout('ref-1')).providerSubscriptionId).toBeNull();
      now += 3 * DAY;
      for (const _ of [1, 2])
        await (name === 'finish'
          ? sandbox.finish('ref-1')
          : sandbox.payments.finishCheckout('ref-1'));
      const { providerSubscriptionId, customerId } = await sandbox.payments.getCheckout('ref-1');
      const states = await sandbox.payments.listProviderSubscriptions(customerId ?? '');
      expect(states).toMatchObject([
        {
          providerSubscription: {
            id: providerSubscriptionId,
            nextChargeAt: at('2026-12-15T12:00:00Z'),
          },
          charges: [{ reference: 'ref-1', amount: 7900 }],
        },
      ]);
      await passTo(at('2026-12-15T12:00:00Z'));
      expect(await chargesOf(providerSubscriptionId ?? '')).toHaveLength(2);
    },
  );

  it('knows its card again, which belongs to one customer unless it is the shared one', async () => {
    const fingerprint = async (reference: string, card: 'success' | 'used', customerId: string) => {
      const trial = { reference, customerId, firstChargeAt: START + 14 * DAY };
      await subscribe(card, trial);
      return (await sandbox.payments.getCheckout(reference)).cardFingerprint;
    };
    const first = await fingerprint('ref-1', 'success', 'cus-1');
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect(await fingerprint('ref-2', 'success', 'cus-1')).toBe(first);
    expect(await fingerprint('ref-3', 'success', 'cus-2')).not.toBe(first);
    const shared = await fingerprint('ref-4', 'used', 'cus-1');
    expect(shared).not.toBe(first);
    expect(await fingerprint('ref-5', 'used', 'cus-2')).toBe(shared);
  });

  it('takes no payment of less than R1', async () => {
    for (const change of [{ amount: 99 }, { renewalAmount: 99 }])
      await expect(sandbox.payments.startCheckout(request(change))).rejects.toMatchObject({
        kind: 'refused',
      });
    await sandbox.payments.startCheckout(request({ amount: sandbox.payments.minimumAmount }));
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
    nextChargeAt: START + 6000,
  });
});
