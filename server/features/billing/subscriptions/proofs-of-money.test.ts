/** @module-tag both-databases */
import { afterEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { PaymentsError, type PaymentState } from '../../../ports/payments/payments.ts';
import { CALLS } from '../../../testing/kill-process.ts';
import { FakeProvider } from '../../../testing/paying/fake-provider.ts';
import { itOnSqlite } from '../../../testing/on-sqlite.ts';
import { openOwnSite, type OwnSite } from '../../../testing/paying/own-site.ts';
import { readAllTables } from '../../../testing/read-all-tables.ts';
import { changeSettings } from '../../../db/settings.ts';
import { createTestApp } from '../../../testing/test-app.ts';
import { payingClient } from '../../../testing/test-payments.ts';
import { createUser } from '../../../testing/test-user.ts';
import { exportBilling } from '../privacy/service.ts';
import { listLedgerEntries } from '../queries.ts';

let own: OwnSite;
const idOf = (user = 0) => own.site.userAt(user).viewer.user.id;
const ledger = () => listLedgerEntries(own.test.deps.database.db, idOf());
const kinds = async () => (await ledger()).map(({ kind }) => kind);

describe('with a provider in memory', () => {
  afterEach(() => own.close());

  it('a renewal of another amount goes back, and isn’t charged again and again', async () => {
    own = await openOwnSite(FakeProvider);
    await own.buy();
    const { payments } = own.test.deps;
    const { charge, readPayment } = payments;
    const addFee = (state: PaymentState) => ({ ...state, amount: state.amount + 1_00 });
    payments.charge = async (request) => addFee(await charge(request));
    own.test.clock.advance(31 * DAY);
    await own.site.work(1);
    payments.readPayment = async (...input) => addFee(await readPayment(...input));
    await own.site.passDays(2);
    expect(own.charged()).toHaveLength(1);
    expect((await own.subscription()).status).toBe('needs_member');
  });

  it('a charge that the provider refuses to make is tried again tomorrow, and somebody is told', async () => {
    own = await openOwnSite(FakeProvider);
    await own.buy();
    const { payments, database } = own.test.deps;
    const { charge } = payments;
    payments.charge = () => Promise.reject(new PaymentsError('Account paused.', 'refused'));
    own.test.clock.advance(31 * DAY);
    await own.site.work(1);
    expect((await own.subscription()).status).toBe('late');
    const issues = await database.db.selectFrom('payment_issues').selectAll().execute();
    expect(issues).toMatchObject([
      { kind: 'checkout-refused', reason: expect.stringContaining('(renewal): Account paused.') },
    ]);
    payments.charge = charge;
    await own.site.passDays(2);
    expect((await own.subscription()).status).toBe('active');
    expect(own.charged()).toHaveLength(1);
  });

  it('a charge that never reached the provider isn’t sent once months were paid otherwise', async () => {
    own = await openOwnSite(FakeProvider);
    await own.buy();
    const { payments } = own.test.deps;
    const { charge } = payments;
    payments.charge = () => Promise.reject(new PaymentsError('No answer.', 'temporary'));
    own.test.clock.advance(31 * DAY);
    await own.site.work(1);
    await own.act('gift');
    payments.charge = charge;
    await own.site.passDays(3);
    expect(own.charged()).toEqual([]);
    expect((await own.subscription()).status).toBe('active');
  });

  itOnSqlite(
    'proof 5: charges a higher price only after a mail that was sent, and the whole notice',
    async () => {
      own = await openOwnSite(FakeProvider, { members: 2 });
      await own.buy({ user: 0 });
      await own.buy({ user: 1 });
      // Too late for the notice of 28 days before the first renewal.
      await own.site.passDays(10);
      await own.site.raise('monthly', false);
      const { db } = own.test.deps.database;
      const told = await db.selectFrom('price_change_members').select('user_id').execute();
      expect(told).toHaveLength(2);
      // One mail was sent, the other one wasn't.
      await db
        .updateTable('sent_messages')
        .set({ sent_at: own.test.clock.now() })
        .where('key', 'like', `${idOf(0)}:price-change:%`)
        .execute();
      await own.site.passDays(85);
      const amounts = (user: number) => own.charged(user).map(({ amount }) => amount);
      expect(amounts(0)).toEqual([79_00, 89_00, 89_00]);
      expect(amounts(1)).toEqual([79_00, 79_00, 79_00]);
    },
  );

  itOnSqlite(
    'proof 6: a decline, 3-D Secure and a new card end in one payment, without R1',
    async () => {
      own = await openOwnSite(FakeProvider);
      await own.buy();
      await own.act('trouble', { card: 'declines' });
      own.test.clock.advance(31 * DAY);
      await own.site.work(1);
      expect((await own.subscription()).status).toBe('late');
      await own.act('trouble', { card: 'asks' });
      await own.site.passDays(2);
      expect((await own.subscription()).status).toBe('needs_member');
      const before = (await own.subscription()).method_id;
      const pages = own.paid().filter(({ isPage }) => isPage).length;
      await own.act('pay');
      await own.act('return');
      const after = await own.subscription();
      expect({ status: after.status, period: after.period }).toEqual({
        status: 'active',
        period: 2,
      });
      expect(after.method_id).not.toBe(before);
      const paid = own.paid().filter(({ isPage }) => isPage);
      expect(paid.slice(pages).map(({ amount, refunded }) => ({ amount, refunded }))).toEqual([
        { amount: 79_00, refunded: 0 },
      ]);
      expect(own.charged()).toEqual([]);
      await own.site.passDays(35);
      expect(own.charged()).toHaveLength(1);
    },
  );

  it('proof 8: the token is in no table, log or export as it is', async () => {
    own = await openOwnSite(FakeProvider);
    await own.buy();
    await own.act('deliver');
    own.test.clock.advance(31 * DAY);
    await own.site.work(1, null, true);
    expect(own.charged()).toHaveLength(1);
    const [token] = own.paid().flatMap((payment) => payment.token ?? []);
    if (!token) throw new Error('No card was saved.');
    const tables = await readAllTables(own.test.deps.database);
    expect(tables.get('payment_methods')).toHaveLength(1);
    const traces = [...tables].filter(([, rows]) => rows.some((row) => row.includes(token)));
    expect(traces.map(([name]) => name)).toEqual([]);
    expect(own.test.logText()).not.toContain(token);
    const exported: unknown[] = [];
    for await (const row of exportBilling(own.test.deps.database.db, idOf())) exported.push(row);
    expect(exported.length).toBeGreaterThan(3);
    expect(JSON.stringify(exported)).not.toContain(token);
    const [sealed] = (tables.get('payment_methods') ?? []).map(
      (row) => (JSON.parse(row) as { token: string }).token,
    );
    expect(JSON.stringify(exported)).not.toContain(sealed);
  });

  it('proof 10: a refund and a dispute on the provider’s dashboard are known within a day, without any webhook event', async () => {
    own = await openOwnSite(FakeProvider, { members: 2 });
    await own.buy({ user: 0 });
    await own.buy({ user: 1 });
    await own.act('refund', { user: 0, pick: 5 });
    await own.act('dispute', { user: 1 });
    own.provider.drainWebhooks();
    own.test.clock.advance(DAY / 2);
    await own.site.work(1, null, true);
    expect(await kinds()).toEqual(expect.arrayContaining(['refund', 'ended']));
    expect((await own.subscription(0)).status).toBe('ended');
    expect((await own.subscription(1)).held_since).not.toBeNull();
    const issues = await own.test.deps.database.db
      .selectFrom('payment_issues')
      .select('kind')
      .orderBy('kind')
      .execute();
    expect(issues.map(({ kind }) => kind)).toEqual(['dispute', 'refund-at-provider']);
    // While the bank decides, nothing is charged.
    own.test.clock.advance(31 * DAY);
    await own.site.work(1);
    expect(own.charged(1)).toEqual([]);
  });

  describe('proof 11: a payment from a bank account', () => {
    const open = async () => {
      own = await openOwnSite(FakeProvider);
      await own.act('once', { pick: 5 });
    };
    const rows = async () =>
      [...(await own.site.readRows()).values()].map(({ kind, state }) => ({ kind, state }));

    itOnSqlite('is pending for an hour, then gives its months, and nothing renews', async () => {
      await open();
      own.test.clock.advance(HOUR);
      await own.site.work(1);
      expect(await rows()).toEqual([{ kind: 'once', state: 'pending' }]);
      expect(await own.paidThrough()).toBeNull();
      const at = own.test.clock.now();
      await own.act('decide', { pick: 1 });
      own.test.clock.advance(HOUR);
      await own.site.work(1);
      expect(await rows()).toEqual([{ kind: 'once', state: 'paid' }]);
      expect(await own.paidThrough()).toBeGreaterThan(at + 85 * DAY);
      await own.site.passDays(100);
      expect(own.charged()).toEqual([]);
      expect(await own.mails()).toEqual(
        expect.arrayContaining([expect.stringMatching(/^once-ending:/)]),
      );
    });

    it('gives nothing if the bank declines it', async () => {
      await open();
      await own.act('decide', { pick: 4 });
      own.test.clock.advance(HOUR);
      await own.site.work(1);
      expect(await rows()).toEqual([{ kind: 'once', state: 'failed' }]);
      expect(await own.paidThrough()).toBeNull();
    });

    it('gives its months twice if it was paid twice, after a gift', async () => {
      await open();
      await own.act('gift');
      const gifted = (await own.paidThrough()) ?? 0;
      await own.act('decide', { pick: 1 });
      own.test.clock.advance(HOUR);
      await own.site.work(1);
      const once = (await own.paidThrough()) ?? 0;
      expect(once - gifted).toBeGreaterThan(85 * DAY);
      await own.act('once', { pick: 5 });
      await own.act('decide', { pick: 1 });
      own.test.clock.advance(HOUR);
      await own.site.work(1);
      expect(((await own.paidThrough()) ?? 0) - once).toBeGreaterThan(85 * DAY);
      expect((await kinds()).filter((kind) => kind === 'charge')).toHaveLength(2);
    });
  });
});

it('proof 7: cancelling, resuming and changing the plan answer 200 while the provider is down', async () => {
  const test = await createTestApp();
  try {
    const member = payingClient(test, await createUser(test));
    await member.buy('monthly');
    const down = () => Promise.reject(new PaymentsError('The provider is down.', 'temporary'));
    Object.assign(test.deps.payments, Object.fromEntries(CALLS.map((name) => [name, down])));
    expect(await member.cancel()).toMatchObject({ status: 'cancelled', renews: false });
    expect(await member.resume()).toMatchObject({ status: 'active', renews: true });
    expect(await member.change('annual')).toMatchObject({ nextPlan: 'annual', renews: true });
  } finally {
    await test.close();
  }
});

it('a payment page that the provider refuses to open is no longer offered, and somebody is told', async () => {
  const test = await createTestApp();
  try {
    const { client } = await createUser(test);
    const { payments, database } = test.deps;
    const { startPayment } = payments;
    payments.startPayment = () => Promise.reject(new PaymentsError('No such account.', 'refused'));
    const begin = () =>
      client.request({ method: 'POST', url: '/api/checkout', payload: { plan: 'monthly' } });
    const listIssues = async () =>
      (await database.db.selectFrom('payment_issues').select(['kind', 'closed_at']).execute()).map(
        ({ kind, closed_at }) => [kind, closed_at !== null],
      );
    expect((await begin()).statusCode).toBe(503);
    const pages = await database.db.selectFrom('payments').select('state').execute();
    expect(pages.map(({ state }) => state)).not.toContain('open');
    expect(await listIssues()).toEqual([['checkout-refused', false]]);
    payments.startPayment = startPayment;
    expect((await begin()).statusCode).toBe(200);
    expect(await listIssues()).toEqual([['checkout-refused', true]]);
  } finally {
    await test.close();
  }
});

it('two trial pages that were open at the same time give one trial', async () => {
  const test = await createTestApp();
  try {
    await changeSettings(test.deps.database.db, { trialDays: 7 }, test.clock.now());
    const member = payingClient(test, await createUser(test));
    const [monthly, annual] = [await member.begin('monthly'), await member.begin('annual')];
    await test.sandbox.pay(monthly.checkoutId, { card: 'success' });
    await member.confirm(monthly.reference);
    const { paidThrough } = await member.subscription();
    await member.cancel();
    await test.sandbox.pay(annual.checkoutId, { card: 'success' });
    expect((await member.confirm(annual.reference)).state).toBe('refused');
    expect((await member.subscription()).paidThrough).toBe(paidThrough);
  } finally {
    await test.close();
  }
});
