import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { chooseCases } from '#tools/testing/random-runs.ts';
import { hasAccess } from '#contract/rules/access.ts';
import { FakeProvider } from '../../../testing/paying/fake-provider.ts';
import { anyHistories, type Histories } from '../../../testing/paying/random-histories.ts';
import { createCoupons, createUsers } from '../../../testing/paying/users.ts';
import { PaystackLikeProvider } from '../../../testing/paying/paystack-like-provider.ts';
import type { SiteUser } from '../../../testing/paying/provider-model.ts';
import { Site } from '../../../testing/paying/site.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { explainAccess } from '../admin/access-report.ts';
import { listLedgerEntries } from '../queries.ts';
import { DAY } from '#contract/rules/time.ts';

const GRACE = 3 * DAY;
/** Histories at the same time, and runs at each provider. */
const MEMBERS = 20;
const RUNS = chooseCases(6, 100);
const MOST_HAPPENINGS = 130;

let test: TestApp;
let start: number;
const clock = { now: () => test.clock.now() };
const provider = new FakeProvider(clock);
beforeAll(async () => {
  test = await createTestApp({ payments: { ...provider.payments }, env: { LOG_LEVEL: 'silent' } });
  start = test.clock.now();
  await createCoupons(test);
});
afterAll(() => test.close());

async function readPaidThrough(users: readonly SiteUser[]) {
  const rows = await test.deps.database.db
    .selectFrom('users')
    .select(['id', 'paid_through'])
    .where(
      'id',
      'in',
      users.map(({ viewer }) => viewer.user.id),
    )
    .execute();
  return new Map(rows.map((row) => [row.id, row.paid_through]));
}

/**
 * Never more than was paid, whatever webhook events are pending. A day is allowed: 29 January
 * in the evening and 31 January in the morning both end on the last of February, each at its hour.
 */
async function expectNotTooMuch(site: Site) {
  const stored = await readPaidThrough(site.users);
  for (const user of site.users) {
    const most = Math.max(...site.modelsOf(user, { ignoresLosses: true }).map((end) => end ?? 0));
    expect(stored.get(user.viewer.user.id) ?? 0).toBeLessThan(most + DAY);
  }
}

/** The stored, explained and effective access match the payments, now and at every boundary. */
async function expectAccess(site: Site) {
  const stored = await readPaidThrough(site.users);
  for (const [index, user] of site.users.entries()) {
    const models = site.modelsOf(user);
    const end = stored.get(user.viewer.user.id) ?? null;
    expect({ index, models, end }).toEqual({ index, models: expect.arrayContaining([end]), end });
    const ledger = await listLedgerEntries(test.deps.database.db, user.viewer.user.id);
    const now = test.clock.now();
    const borders = end === null ? [] : [end - 1, end, end + GRACE - 1, end + GRACE];
    for (const at of [now, ...borders.filter((time) => time > now)]) {
      const isOn = end !== null && at < end + GRACE;
      const { calendar } = provider;
      const report = explainAccess(ledger, { at, graceMs: GRACE, calendar, timeZone: 'UTC' });
      expect([report.hasAccess, hasAccess(end, at, GRACE)]).toEqual([isOn, isOn]);
      expect(report.paidThrough).toBe(end);
    }
  }
}

/** Each payment has an invoice with its refunds, and no one is charged by two subscriptions. */
async function expectCorrectInvoices(site: Site) {
  const ids = site.users.map(({ viewer }) => viewer.user.id);
  const rows = await test.deps.database.db
    .selectFrom('invoices')
    .select(['charge_id', 'amount', 'refunded', 'currency', 'plan', 'at'])
    .where('user_id', 'in', ids)
    .execute();
  const charges = site.users.flatMap((user) => site.chargesOf(user));
  const asBooked = charges.map(({ id: charge_id, amount, refunded, currency, plan, at }) => ({
    charge_id,
    amount,
    refunded,
    currency,
    plan,
    at,
  }));
  const byCharge = (a: { charge_id: string }, b: { charge_id: string }) =>
    a.charge_id < b.charge_id ? -1 : 1;
  expect(rows.toSorted(byCharge)).toEqual(asBooked.toSorted(byCharge));
  for (const user of site.users) expect(listRenewing(site, user).length).toBeLessThan(2);
}

/** What stays of a payment for a month or a year: never more than the user agreed to. */
const PRICES = { monthly: 79_00, annual: 790_00 };

/** Every cent is in the ledger as the provider has it; what the user did not agree to went back. */
async function expectNothingKeptInSilence(site: Site) {
  const agreed = new Set(site.users.flatMap((user) => site.chargesOf(user)));
  for (const user of site.users) {
    const ledger = await listLedgerEntries(test.deps.database.db, user.viewer.user.id);
    for (const charge of site.paidChargesOf(user)) {
      const own = ledger.filter((entry) => entry.charge_id === charge.id);
      const recorded = own.find(({ kind }) => kind === 'charge' || kind === 'charge-refused');
      const refunded = own.findLast(({ kind }) => kind === 'refund')?.amount ?? 0;
      expect([charge.id, recorded?.amount, refunded]).toEqual([
        charge.id,
        charge.amount,
        charge.refunded,
      ]);
      if (charge.is_disputed === 1) continue;
      const kept = charge.amount - charge.refunded;
      const most = agreed.has(charge) ? PRICES[charge.plan] : 0;
      expect([charge.id, kept <= most]).toEqual([charge.id, true]);
    }
  }
}

/** After a confirmed cancellation nothing is charged, or it went back. */
function expectNothingAfterCancelling(site: Site) {
  for (const [index, user] of site.users.entries()) {
    const { cancelledAt } = user;
    if (cancelledAt === null) continue;
    const later = site
      .paidChargesOf(user)
      .filter(({ at, is_disputed }) => at > cancelledAt && is_disputed === 0);
    for (const { id, amount, refunded } of later)
      expect({ index, id, refunded }).toEqual({ index, id, refunded: amount });
  }
}

/** A subscription whose payment was refunded at the provider renews only if the user wants it again. */
function expectNothingAfterRefund(site: Site) {
  for (const [index, user] of site.users.entries())
    for (const { id: subscription } of listRenewing(site, user))
      for (const { id, provider_subscription_id } of site.paidChargesOf(user)) {
        const at = site.refundedAt.get(id);
        if (at === undefined || provider_subscription_id !== subscription) continue;
        expect({ index, id, isWanted: user.wantedAt >= at }).toEqual({ index, id, isWanted: true });
      }
}

/** Of two subscriptions at the same time, one was given back entirely. */
async function expectDuplicatesRefunded(site: Site) {
  const duplicates = await test.deps.database.db
    .selectFrom('provider_subscriptions')
    .select(['provider_subscription_id', 'user_id'])
    .where('is_duplicate', '=', 1)
    .execute();
  const ids = new Set(duplicates.map((row) => row.provider_subscription_id));
  for (const user of site.users) {
    const kept = site
      .subscriptionsOf(user)
      .find(({ id, status }) => !ids.has(id) && status === 'active');
    if (!kept) continue;
    for (const charge of site.paidChargesOf(user))
      if (
        ids.has(charge.provider_subscription_id ?? '') &&
        charge.at > kept.created_at &&
        charge.is_disputed === 0
      )
        expect([charge.id, charge.refunded]).toEqual([charge.id, charge.amount]);
  }
}

/** Only one payment of each user keeps the coupon's price, however many checkouts were open. */
function expectCodes(site: Site) {
  for (const user of site.users)
    for (const charge of site.reducedOf(user).slice(1))
      expect(charge).toMatchObject({ refunded: charge.amount });
}

const listRenewing = (site: Site, user: SiteUser) =>
  site.subscriptionsOf(user).filter(({ status }) => status === 'active' || status === 'late');

async function play(Provider: typeof FakeProvider, { startDay, trialDays, steps }: Histories) {
  test.clock.advance(start + startDay * DAY - test.clock.now());
  const fakeProvider = new Provider(clock);
  Object.assign(test.deps.payments, fakeProvider.payments);
  const site = new Site(test, fakeProvider, await createUsers(test, MEMBERS));
  try {
    await site.setTrial(trialDays);
    for (const one of steps) {
      await site.play(one);
      if (one.do === 'pass' || one.do === 'work') await expectNotTooMuch(site);
    }
    await site.catchUp();
    await expectAccess(site);
    await expectCorrectInvoices(site);
    expectCodes(site);
    await expectNothingKeptInSilence(site);
    expectNothingAfterCancelling(site);
    expectNothingAfterRefund(site);
    await expectDuplicatesRefunded(site);
    const deleted = site.users.filter((_, index) => index % 4 === 0);
    await site.deleteAccounts(deleted);
    for (const user of deleted) expect(listRenewing(site, user)).toEqual([]);
  } finally {
    await site.close();
  }
}

/** How long a failure is shrunk; it is reported with the seed that repeats it. */
const REDUCING_MS = chooseCases(240_000, 3_000_000);
vi.setConfig({ testTimeout: chooseCases(300_000, 3_600_000) });

let played = 0;
const anyHistoryAt = (Provider: typeof FakeProvider) =>
  fc.asyncProperty(anyHistories(MEMBERS, MOST_HAPPENINGS), (histories) =>
    play(Provider, histories).then(() => void (played += 1)),
  );
const settings = {
  numRuns: RUNS,
  interruptAfterTimeLimit: REDUCING_MS,
  markInterruptAsFailure: true,
};

it('grants exactly the paid access after any history, whichever events were lost and wherever the process died', async () => {
  played = 0;
  await fc.assert(anyHistoryAt(FakeProvider), settings);
  expect(played).toBe(RUNS);
});

it('does so at a provider that replaces subscriptions, makes some late or never, and tries no payment again', async () => {
  played = 0;
  await fc.assert(anyHistoryAt(PaystackLikeProvider), settings);
  expect(played).toBe(RUNS);
});

vi.resetConfig();

it('leaves no gap in the invoice numbers, whatever crashed', async () => {
  const invoices = await test.deps.database.db
    .selectFrom('invoices')
    .select('number')
    .orderBy('number')
    .execute();
  expect(invoices.map(({ number }) => number)).toEqual(invoices.map((_, index) => index + 1));
  expect(invoices.length).toBeGreaterThan(MEMBERS * RUNS);
});
