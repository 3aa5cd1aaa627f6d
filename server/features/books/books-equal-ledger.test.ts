import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomSeed } from '#tools/testing/random-runs.ts';
import { dayOf } from '#contract/rules/days.ts';
import { monthOf } from '#contract/rules/report-days.ts';
import { DAY } from '#contract/rules/time.ts';
import { vatIn } from '../../vat.ts';
import { buildUser } from '../../db/build-rows.ts';
import type { LedgerEntriesTable } from '../../db/billing-tables.ts';
import { changeSettings } from '../../db/settings.ts';
import { createRandom, type Random } from '../../testing/random.ts';
import { payAtRandom, recordHistory } from '../../testing/random-payments.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { buildLedgerEntry, type NewLedgerEntry } from '../billing/ledger/ledger-entries.ts';
import { listMonths, readTotals } from './totals.ts';

const MORE_MEMBERS = 30;

let test: TestApp;
let ledger: LedgerEntriesTable[];

const setVat = (isVatCharged: boolean, vatPercent: number) =>
  changeSettings(
    test.deps.database.db,
    {
      isVatCharged,
      vatPercent,
      sellerName: 'Seller',
      sellerAddress: 'Street',
      sellerVatNumber: '4123456789',
    },
    test.clock.now(),
  );

/** Refunds in steps that may fail, lost and reversed disputes, and payments that were refused. */
function buildOddHistory(random: Random, id: string): NewLedgerEntry[] {
  const entries: NewLedgerEntry[] = [];
  let at = Date.UTC(2026, 2, 28) + random.below(60 * DAY);
  for (let n = 1 + random.below(5); n > 0; n -= 1) {
    const amount = 1_00 + random.below(500_00);
    const charge = {
      provider: 'sandbox',
      charge_id: `${id}-${n}`,
      provider_subscription_id: id,
      plan: 'monthly' as const,
      currency: 'ZAR',
    };
    const add = (kind: NewLedgerEntry['kind'], cents: number) => {
      entries.push(buildLedgerEntry(kind, at, 'Random.', { ...charge, amount: cents }));
      at += random.below(12 * DAY);
    };
    add(random.below(5) === 0 ? 'charge-refused' : 'charge', amount);
    for (let steps = random.below(5); steps > 0; steps -= 1)
      add(
        random.pick(['refund', 'refund', 'dispute', 'dispute-won', 'dispute-lost']),
        random.pick([0, 1, amount, random.below(amount)]),
      );
  }
  return entries;
}

beforeAll(async () => {
  test = await createTestApp();
  const random = createRandom(randomSeed);
  await setVat(true, 15);
  await payAtRandom(test, random);
  const { db } = test.deps.database;
  for (let index = 0; index < MORE_MEMBERS; index += 1) {
    await setVat(random.below(3) > 0, random.pick([15, 15.5, 14.29]));
    const id = `odd-${index}`;
    await db
      .insertInto('users')
      .values(buildUser({ id, created_at: 1 }))
      .execute();
    await recordHistory(test, id, buildOddHistory(random, id));
  }
  ledger = await db
    .selectFrom('ledger_entries')
    .selectAll()
    .orderBy('user_id')
    .orderBy('seq')
    .execute();
});
afterAll(() => test.close());

type Sums = { sold: number; refunded: number; received: number; returned: number };

/** Each month's money, from the ledger alone. */
function sumLedger(): Map<string, Sums> {
  const months = new Map<string, Sums>();
  const charges = new Map<
    string,
    { paid: number; isRefused: boolean; refunded: number; isLost: boolean }
  >();
  for (const { kind, at, charge_id, amount } of ledger) {
    const key = charge_id ?? '';
    const month = monthOf(dayOf(at, test.deps.config.timeZone));
    const sums = months.get(month) ?? { sold: 0, refunded: 0, received: 0, returned: 0 };
    months.set(month, sums);
    const cents = amount ?? 0;
    if (kind === 'charge' || kind === 'charge-refused') {
      const isRefused = kind === 'charge-refused';
      charges.set(key, { paid: cents, isRefused, refunded: 0, isLost: false });
      sums[isRefused ? 'received' : 'sold'] += cents;
    }
    const charge = charges.get(key);
    if (!charge || !['refund', 'dispute', 'dispute-won', 'dispute-lost'].includes(kind)) continue;
    const before = charge.isLost ? charge.paid : charge.refunded;
    if (kind === 'refund') charge.refunded = cents;
    else charge.isLost = kind === 'dispute-lost';
    const difference = (charge.isLost ? charge.paid : charge.refunded) - before;
    sums[charge.isRefused ? 'returned' : 'refunded'] += difference;
  }
  return months;
}

describe('over random histories', () => {
  it('sales minus refunds of every month are what the ledger says', async () => {
    const expected = sumLedger();
    const months = await listMonths(test.deps);
    expect(months.length).toBeGreaterThan(6);
    expect(months).toEqual(expect.arrayContaining([...expected.keys()]));
    for (const month of months) {
      const { sales, refunds, net, notInvoiced } = await readTotals(test.deps, month);
      const sums = expected.get(month) ?? { sold: 0, refunded: 0, received: 0, returned: 0 };
      expect([month, sales.amount, refunds.amount]).toEqual([month, sums.sold, sums.refunded]);
      expect(net.amount).toBe(sums.sold - sums.refunded);
      // A refund that failed is money in again.
      expect(notInvoiced.received - notInvoiced.returned).toBe(sums.received - sums.returned);
    }
  });

  it('VAT parts add up to the cent, by document, by rate and by month', async () => {
    const { db } = test.deps.database;
    const invoices = await db.selectFrom('invoices').selectAll().execute();
    const notes = await db.selectFrom('credit_notes').selectAll().execute();
    expect(notes.filter(({ kind }) => kind === 'debit').length).toBeGreaterThan(3);
    for (const { id, amount, vat, vat_rate } of invoices) {
      expect(vat).toBe(vat_rate === null ? 0 : vatIn(amount, vat_rate));
      const own = notes.filter((note) => note.invoice_id === id);
      const credited = own.reduce((sum, note) => sum + note.amount, 0);
      const creditedVat = own.reduce((sum, note) => sum + note.vat, 0);
      expect(credited).toBeGreaterThanOrEqual(0);
      expect(credited).toBeLessThanOrEqual(amount);
      expect(creditedVat).toBe(vat_rate === null ? 0 : vatIn(credited, vat_rate));
      if (credited === amount) expect(creditedVat).toBe(vat);
    }
    let due = 0;
    for (const month of await listMonths(test.deps)) {
      const totals = await readTotals(test.deps, month);
      for (const { amount, vat, excluding } of [totals.sales, totals.refunds, totals.net])
        expect(vat + excluding).toBe(amount);
      const byRate = totals.vat.reduce((sum, line) => sum + line.due, 0);
      expect(byRate).toBe(totals.net.vat);
      due += byRate;
    }
    const all = (rows: readonly { vat: number }[]) => rows.reduce((sum, { vat }) => sum + vat, 0);
    expect(due).toBe(all(invoices) - all(notes));
  });

  it('credit notes never exceed their invoice, not even for a day', async () => {
    const notes = await test.deps.database.db
      .selectFrom('credit_notes')
      .innerJoin('invoices', 'invoices.id', 'credit_notes.invoice_id')
      .select(['credit_notes.amount', 'invoices.amount as most', 'invoices.id'])
      .orderBy('credit_notes.at')
      .execute();
    const credited = new Map<string, number>();
    for (const { id, amount, most } of notes) {
      const sum = (credited.get(id) ?? 0) + amount;
      credited.set(id, sum);
      expect(sum).toBeGreaterThanOrEqual(0);
      expect(sum).toBeLessThanOrEqual(most);
    }
    expect(credited.size).toBeGreaterThan(10);
  });

  it('numbers have no gaps: invoices, credit notes and debit notes', async () => {
    const { db } = test.deps.database;
    const invoices = await db.selectFrom('invoices').select('number').orderBy('number').execute();
    const notes = await db
      .selectFrom('credit_notes')
      .select(['kind', 'number'])
      .orderBy('number')
      .execute();
    for (const rows of [
      invoices,
      notes.filter(({ kind }) => kind === 'credit'),
      notes.filter(({ kind }) => kind === 'debit'),
    ])
      expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  });
});
