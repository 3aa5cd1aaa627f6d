import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeSettings } from '../../../db/settings.ts';
import { failure, refusal, type Payments } from '../../../ports/payments/payments.ts';
import { beforeNextTransaction } from '../../../testing/before-next-transaction.ts';
import { EACH_STEP, killAt, killAtEachStep } from '../../../testing/kill-process.ts';
import { readAllTables } from '../../../testing/read-all-tables.ts';
import { deliverAll, payingClient, reconcile } from '../../../testing/test-payments.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser, type TestUser } from '../../../testing/test-user.ts';
import { reconcileSubscription } from './reconcile-subscription.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

let test: TestApp;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
async function openSite() {
  test = await createTestApp();
  member = await createUser(test);
  me = payingClient(test, member);
}
async function reopenSite() {
  await test.close();
  await openSite();
}
beforeEach(openSite);
afterEach(() => test.close());

const post = (url: string, payload?: object) =>
  member.client.request({ method: 'POST', url, ...(payload && { payload }) });

/** These calls fail until the provider is repaired. */
function breakProvider(error: Error, names: (keyof Payments)[]) {
  const { payments } = test.deps;
  const working = { ...payments };
  const fail = async () => {
    throw error;
  };
  const broken = names.map((name) => [name, fail]);
  Object.assign(payments, Object.fromEntries(broken));
  return { mend: () => Object.assign(payments, working) };
}

const down = () => failure('connect ECONNREFUSED');

describe('a provider', () => {
  it('that is down is reported, and nothing is charged or lost', async () => {
    const { mend } = breakProvider(down(), ['startCheckout']);
    const refused = await post('/api/checkout', { plan: 'monthly' });
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([
      503,
      'provider_unavailable',
    ]);
    mend();
    const { checkoutId, reference } = await me.begin('monthly');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    const again = breakProvider(down(), [
      'getCheckout',
      'listProviderSubscriptions',
      'getProviderSubscription',
    ]);
    expect((await post(`/api/checkout/${reference}/confirm`)).statusCode).toBe(503);
    await deliverAll(test);
    expect(await me.isSubscriber()).toBe(false);
    again.mend();
    test.clock.advance(10 * MINUTE);
    await test.worker.runDue();
    expect(await me.isSubscriber()).toBe(true);
    const third = breakProvider(down(), ['cancelAtPeriodEnd']);
    const body = { reason: 'other' };
    expect((await post('/api/subscription/cancel', body)).statusCode).toBe(503);
    third.mend();
    expect((await me.subscription()).status).toBe('active');
  });

  it('that is down when a webhook arrives changes nothing', async () => {
    await me.buy('monthly');
    const before = await me.subscription();
    test.clock.advance(31 * DAY);
    await test.sandbox.renewDue();
    const { mend } = breakProvider(down(), ['listProviderSubscriptions']);
    await deliverAll(test);
    await reconcile(test);
    expect((await me.subscription()).paidThrough).toBe(before.paidThrough);
    mend();
    test.clock.advance(60 * MINUTE);
    await test.worker.runDue();
    expect((await me.charges()).length).toBe(2);
  });

  it('that reports a payment in the future is not trusted until the clocks agree', async () => {
    const { checkoutId, reference } = await me.begin('monthly');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    test.clock.advance(-40 * DAY);
    expect((await post(`/api/checkout/${reference}/confirm`)).statusCode).toBe(503);
    expect(await me.ledger()).toEqual([]);
    test.clock.advance(40 * DAY);
    expect((await me.confirm(reference)).state).toBe('paid');
    expect((await me.subscription()).paidThrough).toBe(Date.parse('2026-12-15T12:00:00Z'));
  });
});

describe('a checkout', () => {
  it('starts again with a new reference if its URL was lost', async () => {
    const { payments } = test.deps;
    const { startCheckout } = payments;
    const asked = new Set<string>();
    let isLost = true;
    Object.assign(payments, {
      startCheckout: async (request: Parameters<typeof startCheckout>[0]) => {
        if (asked.has(request.reference)) throw refusal('Duplicate Transaction Reference');
        asked.add(request.reference);
        if (isLost) throw down();
        return startCheckout(request);
      },
    });
    expect((await post('/api/checkout', { plan: 'monthly' })).statusCode).toBe(503);
    isLost = false;
    test.clock.advance(MINUTE);
    const { checkoutId, reference } = await me.begin('monthly');
    expect(asked.size).toBe(2);
    await test.sandbox.pay(checkoutId, { card: 'success' });
    expect((await me.confirm(reference)).state).toBe('paid');
  });

  it('is recorded once when two requests confirm it at the same time', async () => {
    const { checkoutId } = await me.begin('monthly');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    beforeNextTransaction(test.deps.database, () =>
      reconcileSubscription(test.deps, member.user.id),
    );
    await reconcileSubscription(test.deps, member.user.id);
    expect(await me.ledger()).toEqual(['charge', 'subscribed']);
    expect(await me.invoices()).toHaveLength(1);
  });

  it('keeps what someone else writes to it while it is confirmed', async () => {
    const { checkoutId, reference } = await me.begin('monthly');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    const { db } = test.deps.database;
    const row = () =>
      db
        .selectFrom('checkouts')
        .select(['checkout_id', 'is_purchase_reported', 'state'])
        .where('reference', '=', reference)
        .executeTakeFirstOrThrow();
    beforeNextTransaction(test.deps.database, async () => {
      await db.updateTable('checkouts').set({ checkout_id: 'another' }).execute();
    });
    await reconcileSubscription(test.deps, member.user.id);
    expect(await row()).toMatchObject({ checkout_id: 'another', state: 'paid' });
  });
});

describe('a change of provider', () => {
  it('lets users of the old provider subscribe again, and shows what to cancel there', async () => {
    await me.buy('monthly');
    const { db } = test.deps.database;
    await db
      .updateTable('provider_subscriptions')
      .set({ provider: 'stripe', id: 'stripe:old' })
      .execute();
    const { otherSubscriptions } = await me.subscription();
    expect(otherSubscriptions).toEqual([{ provider: 'stripe', plan: 'monthly' }]);
    const { result } = await me.buy('annual');
    expect(result.state).toBe('paid');
    expect(await me.ledger()).not.toContain('duplicate');
  });

  it('ends a subscription that the provider has deleted, and no other', async () => {
    await me.buy('monthly');
    const { db } = test.deps.database;
    for (const table of ['sandbox_subscriptions', 'sandbox_charges', 'sandbox_checkouts'] as const)
      await db.deleteFrom(table).execute();
    test.clock.advance(2 * DAY);
    await reconcile(test);
    expect(await me.isSubscriber()).toBe(true);
    const { result } = await me.buy('annual');
    expect(result.state).toBe('paid');
    expect(await me.subscription()).toMatchObject({ status: 'active', plan: 'annual' });
  });
});

describe('two checkouts at once', () => {
  it('share one checkout page', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post('/api/checkout', { plan: 'monthly' })),
    );
    const urls = new Set(answers.map((answer) => answer.json<{ url: string }>().url));
    expect(urls.size).toBe(1);
    const rows = await test.deps.database.db.selectFrom('checkouts').selectAll().execute();
    expect(rows).toHaveLength(1);
  });

  it('with different plans end in one subscription: the newer one is refunded', async () => {
    const monthly = await me.begin('monthly');
    const annual = await me.begin('annual');
    await test.sandbox.pay(monthly.checkoutId, { card: 'success' });
    test.clock.advance(1000);
    await test.sandbox.pay(annual.checkoutId, { card: 'success' });
    const confirmations = await Promise.all([
      me.confirm(monthly.reference),
      me.confirm(annual.reference),
    ]);
    expect(confirmations.filter(({ purchase }) => purchase !== null)).toHaveLength(1);
    await deliverAll(test);
    await deliverAll(test);
    const subscription = await me.subscription();
    expect(subscription).toMatchObject({ status: 'active', plan: 'monthly' });
    expect(subscription.paidThrough).toBe(Date.parse('2026-12-15T12:00:00Z'));
    expect(await me.ledger()).toEqual(expect.arrayContaining(['duplicate', 'refund']));
    const invoices = await me.invoices();
    expect(invoices.map(({ plan, status }) => `${plan} ${status}`).toSorted()).toEqual([
      'annual refunded',
      'monthly paid',
    ]);
    // The second one never charges again.
    test.clock.advance(400 * DAY);
    await test.sandbox.renewDue();
    await deliverAll(test);
    expect((await me.charges()).filter(({ amount }) => amount === 790_00)).toHaveLength(1);
  });

  it('one after the other: a user who has paid is told so instead of charged again', async () => {
    const { checkoutId } = await me.begin('monthly');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    test.clock.advance(45 * MINUTE);
    const refused = await post('/api/checkout', { plan: 'annual' });
    expect(refused.json<{ code: string }>().code).toBe('already_subscribed');
    expect(await me.isSubscriber()).toBe(true);
  });
});

describe('a price', () => {
  it('cannot be set by the client', async () => {
    for (const extra of [{ amount: 1 }, { price: 1 }, { currency: 'USD' }, { cardNumber: '4' }]) {
      const response = await post('/api/checkout', { plan: 'monthly', ...extra });
      expect(response.statusCode).toBe(400);
    }
  });

  it('that changes applies to new checkouts; existing subscribers keep theirs', async () => {
    await me.buy('monthly');
    await changeSettings(test.deps.database.db, { monthlyPrice: 99_00 }, test.clock.now());
    test.clock.advance(31 * DAY);
    await test.sandbox.renewDue();
    await deliverAll(test);
    expect((await me.charges()).map(({ amount }) => amount)).toEqual([79_00, 79_00]);
    const other = payingClient(test, await createUser(test, 'lerato'));
    const { result } = await other.buy('monthly');
    expect(result.purchase?.amount).toBe(99_00);
  });
});

describe('a charge the user did not agree to', () => {
  const doctor = (change: object) =>
    test.deps.database.db.updateTable('sandbox_charges').set(change).execute();

  it.each([
    ['another currency', { currency: 'USD' }],
    ['another amount', { amount: 1_00 }],
    ['more than agreed', { amount: 790_00 }],
    ['another plan', { plan: 'annual' as const }],
  ])('never gives access, and the ledger says why: %s', async (_name, change) => {
    const { checkoutId, reference } = await me.begin('monthly');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    await doctor(change);
    expect(await me.confirm(reference)).toEqual({ state: 'refused', purchase: null });
    await deliverAll(test);
    await test.worker.runDue();
    expect(await me.isSubscriber()).toBe(false);
    const row = await test.deps.database.db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('kind', '=', 'charge-refused')
      .executeTakeFirstOrThrow();
    expect(row.because).toContain('was charged');
    expect(await me.invoices()).toEqual([]);
    // It is refunded in full, and nothing more is charged.
    const [charge] = await test.deps.database.db
      .selectFrom('sandbox_charges')
      .selectAll()
      .execute();
    expect(charge?.refunded).toBe(charge?.amount);
    const [providerSubscription] = await test.deps.database.db
      .selectFrom('sandbox_subscriptions')
      .selectAll()
      .execute();
    expect(providerSubscription?.status).toBe('ending');
    expect(await me.ledger()).not.toContain('subscribed');
    const mails = await test.deps.database.db.selectFrom('outbox').select('subject').execute();
    expect(mails).toEqual([{ subject: 'Refund of your Weekender payment' }]);
  });
});

it('keeps two users apart that share a customer at the provider', async () => {
  await me.buy('monthly');
  const other = payingClient(test, await createUser(test, 'lerato'));
  await other.buy('annual');
  // As with a provider that identifies customers by an e-mail address that has changed owners.
  const { db } = test.deps.database;
  for (const table of ['sandbox_subscriptions', 'sandbox_charges', 'sandbox_checkouts'] as const)
    await db.updateTable(table).set({ customer_id: 'cus_shared' }).execute();
  await db.updateTable('provider_subscriptions').set({ customer_id: 'cus_shared' }).execute();
  test.clock.advance(31 * DAY);
  await test.sandbox.renewDue();
  await deliverAll(test);
  await reconcile(test);
  expect((await me.charges()).map(({ amount }) => amount)).toEqual([79_00, 79_00]);
  expect((await other.charges()).map(({ amount }) => amount)).toEqual([790_00]);
});

describe('a killed process', () => {
  it('at any transaction loses and duplicates nothing', EACH_STEP, () =>
    killAtEachStep(reopenSite, async (step) => {
      const { checkoutId, reference } = await me.begin('monthly');
      await test.sandbox.pay(checkoutId, { card: 'success' });
      const webhooks = await test.sandbox.drainWebhooks();
      const { restart } = killAt(test.deps.database, step);
      const [webhook] = webhooks;
      await test.app.inject({
        method: 'POST',
        url: '/api/webhooks/sandbox',
        headers: webhook!.headers,
        payload: webhook!.rawBody,
      });
      await test.worker.runDue().catch(() => undefined);
      await post(`/api/checkout/${reference}/confirm`);
      const wasKilled = restart();
      // Leases of the dead process expire; unacknowledged webhooks are sent again.
      test.clock.advance(60 * MINUTE);
      await test.app.inject({
        method: 'POST',
        url: '/api/webhooks/sandbox',
        headers: webhook!.headers,
        payload: webhook!.rawBody,
      });
      await test.worker.runDue();
      await reconcile(test);
      expect(await me.ledger()).toEqual(['charge', 'subscribed']);
      expect((await me.subscription()).paidThrough).toBe(Date.parse('2026-12-15T12:00:00Z'));
      expect(await me.invoices()).toMatchObject([{ number: '000001' }]);
      const sent = await test.deps.database.db.selectFrom('outbox').select('subject').execute();
      expect(sent.map(({ subject }) => subject).toSorted()).toEqual([
        'Welcome to Weekender Premium',
        'Your receipt from Weekender: R79',
      ]);
      return wasKilled;
    }),
  );
});

it('loses nothing and keeps the order of entries when the clock is set back', async () => {
  await me.buy('monthly');
  test.clock.advance(-20 * DAY);
  expect(await me.isSubscriber()).toBe(true);
  const [charge] = await me.charges();
  test.clock.advance(19 * DAY);
  await test.deps.payments.refund({ chargeId: charge!.id, amount: 79_00, key: 'r' });
  await deliverAll(test);
  const rows = await test.deps.database.db
    .selectFrom('ledger_entries')
    .select('recorded_at')
    .orderBy('seq')
    .execute();
  const times = rows.map((row) => row.recorded_at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(await me.isSubscriber()).toBe(false);
});

/** As many digits as a card number, with a valid check digit. */
function findCardNumbers(text: string): string[] {
  const isValid = (digits: string) =>
    [...digits].toReversed().reduce((sum, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return sum + (value > 9 ? value - 9 : value);
    }, 0) %
      10 ===
    0;
  return (text.match(/(?<![\w.])[2-6]\d{14,15}(?!\w)/g) ?? []).filter(isValid);
}

it('stores and logs no card number', async () => {
  expect(findCardNumbers('a 4242424242424242 b')).toHaveLength(1);
  await me.buy('monthly', { card: 'confirmation' }).catch(() => undefined);
  await me.buy('monthly', { card: 'pays-once' });
  test.clock.advance(31 * DAY);
  await test.sandbox.renewDue();
  await deliverAll(test);
  await test.sandbox.replaceCard(await me.providerSubscriptionId(), 'success');
  await deliverAll(test);
  await me.cancel();
  await post('/api/checkout', { plan: 'monthly', cardNumber: '4242424242424242' });
  const tables = await readAllTables(test.deps.database);
  const rows = [...tables.values()].flat();
  expect(rows.length).toBeGreaterThan(20);
  expect(findCardNumbers(rows.join('\n'))).toEqual([]);
  expect(findCardNumbers(test.logText())).toEqual([]);
});
