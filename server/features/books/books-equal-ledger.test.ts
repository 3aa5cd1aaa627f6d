import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomSeed } from '#tools/testing/random-runs.ts';
import type { BookTotals } from '#contract/admin/books.ts';
import { listPeriods, parsePeriod } from '#contract/admin/book-periods.ts';
import { dayOf } from '#contract/rules/days.ts';
import { monthOf } from '#contract/rules/report-days.ts';
import { DAY } from '#contract/rules/time.ts';
import { findVatRate, vatIn } from '#contract/rules/vat.ts';
import { buildUser } from '../../db/build-rows.ts';
import type { LedgerEntriesTable } from '../../db/types/billing-tables.ts';
import { changeSettings } from '../../db/settings.ts';
import { createRandom, type Random } from '../../testing/random.ts';
import { payAtRandom, recordHistory } from '../../testing/random-payments.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { buildLedgerEntry, type NewLedgerEntry } from '../billing/ledger/ledger-entries.ts';
import { addToMonth, findClosedMonth } from '../billing/ledger/booking.ts';
import { recordLateFee } from '../billing/ledger/without-invoice.ts';
import { listMonths, readMonths } from './months.ts';
import { openSheet } from './sheets.ts';
import { readTotals } from './totals.ts';

const MORE_MEMBERS = 30;

let test: TestApp;
let ledger: LedgerEntriesTable[];
/** By user: the last closed month, and whether VAT was charged, when their history was recorded. */
const recorded = new Map<string, { closed: string | null; isVatCharged: boolean }>();
/** What the months said when they were closed. */
const frozen = new Map<string, BookTotals>();

const VAT_RATES = [
  { percent: 15, from: '2018-04-01' },
  { percent: 15.5, from: '2026-05-01' },
  { percent: 14.29, from: '2026-08-16' },
];

const setVat = (isVatCharged: boolean) =>
  changeSettings(
    test.deps.database.db,
    {
      isVatCharged,
      vatRates: VAT_RATES,
      sellerName: 'Seller',
      sellerAddress: 'Street',
      sellerVatNumber: '4123456789',
    },
    test.clock.now(),
  );

const readMonth = (month: string) => readTotals(test.deps, parsePeriod(month));

async function closeNext(client: TestClient, random: Random) {
  const { closed } = await readMonths(test.deps);
  const month = closed === null ? '2026-03' : addToMonth(closed, 1 + random.below(2));
  if (month >= '2026-10') return;
  const answer = await client.request({
    method: 'POST',
    url: '/api/admin/books/close',
    payload: { month },
  });
  expect(answer.statusCode).toBe(200);
  for (const one of await listMonths(test.deps))
    if (one <= month && !frozen.has(one)) frozen.set(one, await readMonth(one));
}

/** Refunds in steps that may fail, lost and reversed disputes, and payments that were refused. */
function buildOddHistory(random: Random, id: string): NewLedgerEntry[] {
  const entries: NewLedgerEntry[] = [];
  let at = Date.UTC(2026, 2, 28) + random.below(60 * DAY);
  for (let n = 1 + random.below(5); n > 0; n -= 1) {
    const amount = 1_00 + random.below(500_00);
    const charge = {
      provider: 'sandbox',
      charge_id: `${id}-${n}`,
      subscription_id: id,
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

/** The provider tells some fees long after the payment. */
async function tellFees(random: Random, userId: string) {
  const { db } = test.deps.database;
  const charges = await db
    .selectFrom('ledger_entries')
    .select('charge_id')
    .where('user_id', '=', userId)
    .where('kind', 'in', ['charge', 'charge-refused'])
    .execute();
  const fees = charges.map(({ charge_id }) => ({
    chargeId: charge_id ?? '',
    fee: random.below(9_00),
  }));
  const context = { now: test.clock.now(), timeZone: test.deps.config.timeZone };
  await db.transaction().execute(async (tx) => {
    for (const fee of fees) await recordLateFee(tx, 'sandbox', fee, context);
  });
}

beforeAll(async () => {
  test = await createTestApp();
  const { client } = await createAdmin(test);
  const random = createRandom(randomSeed);
  await setVat(true);
  await payAtRandom(test, random);
  const { db } = test.deps.database;
  for (let index = 0; index < MORE_MEMBERS; index += 1) {
    const isVatCharged = random.below(3) > 0;
    await setVat(isVatCharged);
    if (random.below(4) === 0) await closeNext(client, random);
    const id = `odd-${index}`;
    recorded.set(id, { closed: await findClosedMonth(db), isVatCharged });
    await db
      .insertInto('users')
      .values(buildUser({ id, created_at: 1 }))
      .execute();
    await recordHistory(test, id, buildOddHistory(random, id));
    await tellFees(random, `odd-${random.below(index + 1)}`);
    // The clock of a server may be set back.
    test.clock.advance(random.pick([0, DAY, 3 * DAY, -DAY]));
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
  for (const { user_id, kind, at, charge_id, amount } of ledger) {
    const key = charge_id ?? '';
    const closed = recorded.get(user_id)?.closed ?? '';
    const own = monthOf(dayOf(at, test.deps.config.timeZone));
    const month = own > closed ? own : addToMonth(closed, 1);
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
      const { sales, refunds, net, notInvoiced } = await readMonth(month);
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
      const totals = await readMonth(month);
      for (const { amount, vat, excluding } of [totals.sales, totals.refunds, totals.net])
        expect(vat + excluding).toBe(amount);
      const byRate = totals.vat.reduce((sum, line) => sum + line.due, 0);
      expect(byRate).toBe(totals.net.vat);
      due += byRate;
    }
    const all = (rows: readonly { vat: number }[]) => rows.reduce((sum, { vat }) => sum + vat, 0);
    expect(due).toBe(all(invoices) - all(notes));
  });

  it('an invoice has the rate of the day it was paid, and its credit notes the same', async () => {
    const invoices = await test.deps.database.db
      .selectFrom('invoices')
      .select(['user_id', 'at', 'vat_rate'])
      .execute();
    const rates = new Set<number | null>();
    for (const { user_id, at, vat_rate } of invoices) {
      const isCharged = recorded.get(user_id ?? '')?.isVatCharged ?? true;
      const day = dayOf(at, test.deps.config.timeZone);
      expect(vat_rate).toBe(isCharged ? findVatRate(VAT_RATES, day) : null);
      rates.add(vat_rate);
    }
    expect(rates).toEqual(new Set([null, 15_00, 15_50, 14_29]));
  });

  it.each([
    ['vat', 'A'],
    ['vat', 'B'],
    ['vat', 'C'],
    ['year', 'A'],
  ] as const)('the sums of a %s period (%s) are those of its documents', async (kind, category) => {
    const year = { vatCategory: category, yearEndMonth: 2 };
    const periods = listPeriods(kind, await listMonths(test.deps), year);
    let documents = 0;
    for (const period of periods.map(parsePeriod)) {
      const totals = await readTotals(test.deps, period);
      const sums = { amount: 0, vat: 0, count: 0 };
      for (const [name, sign] of [
        ['sales', 1],
        ['refunds', -1],
      ] as const) {
        const { columns, rows } = await openSheet(test.deps, period, name);
        const labels = columns.map(({ label }) => label);
        for await (const { cells } of rows) {
          sums.amount += sign * Number(cells[labels.indexOf('Amount incl. VAT')]);
          sums.vat += sign * Number(cells[labels.indexOf('VAT')]);
          sums.count += 1;
        }
      }
      expect([sums.amount, sums.vat]).toEqual([totals.net.amount, totals.net.vat]);
      expect(totals.vat.reduce((sum, { due }) => sum + due, 0)).toBe(sums.vat);
      documents += sums.count;
    }
    const { db } = test.deps.database;
    const invoices = await db.selectFrom('invoices').select('id').execute();
    const notes = await db.selectFrom('credit_notes').select('id').execute();
    expect(documents).toBe(invoices.length + notes.length);
  });

  it('a closed month stays as it was, whatever is recorded later', async () => {
    expect(frozen.size).toBeGreaterThan(2);
    for (const [month, totals] of frozen) expect(await readMonth(month)).toEqual(totals);
  });

  it('numbers and dates of documents rise together', async () => {
    const { db } = test.deps.database;
    const invoices = await db.selectFrom('invoices').selectAll().orderBy('number').execute();
    const notes = await db.selectFrom('credit_notes').selectAll().orderBy('number').execute();
    for (const rows of [
      invoices,
      notes.filter(({ kind }) => kind === 'credit'),
      notes.filter(({ kind }) => kind === 'debit'),
    ]) {
      const dates = rows.map(({ issued_at }) => issued_at);
      expect(dates).toEqual(dates.toSorted((a, b) => a - b));
      expect(new Set(dates).size).toBeGreaterThan(2);
    }
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
