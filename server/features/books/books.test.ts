/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BookTotals, Payouts } from '#contract/admin/books.ts';
import type { CreditNotePage, Invoice, InvoicePage } from '#contract/paying/invoices.ts';
import { dayOf } from '#contract/rules/days.ts';
import { DAY } from '#contract/rules/time.ts';
import { buildInvoice, buildUser } from '../../db/build-rows.ts';
import { changeSettings } from '../../db/settings.ts';
import { failure } from '../../ports/payments/payments.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { deliverAll, payingClient } from '../../testing/test-payments.ts';
import { createUser, PASSWORD, type TestUser } from '../../testing/test-user.ts';
import {
  appendLedgerEntries,
  buildLedgerEntry,
  toLedgerContext,
  type NewLedgerEntry,
} from '../billing/ledger/ledger-entries.ts';
import { appendEntry } from '../billing/ledger/service.ts';
import { exportBilling } from '../billing/privacy/service.ts';
import { settlePayment } from '../billing/checkout/settle-payment.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let admin: TestClient;
let member: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  ({ client: admin } = await createAdmin(test));
  member = await createUser(test);
});
afterEach(() => test.close());

const MONTH = '2026-11';
const seller = {
  sellerName: 'Weekender Mixes (Pty) Ltd',
  sellerStatus: 'Private company',
  sellerAddress: '1 Long Street\nCape Town\n8001',
  sellerRegistration: '2026/123456/07',
  sellerVatNumber: '4123456789',
  sellerPhone: '+27 11 555 0100',
  sellerEmail: 'hello@example.com',
};
const chargeVat = (vatPercent = 15) =>
  changeSettings(
    test.deps.database.db,
    { ...seller, isVatCharged: true, vatRates: [{ percent: vatPercent, from: '2018-04-01' }] },
    test.clock.now(),
  );

const facts = (charge: string, amount = 79_00): Partial<NewLedgerEntry> => ({
  provider: 'sandbox',
  subscription_id: 'sub',
  charge_id: charge,
  plan: 'monthly',
  amount,
  currency: 'ZAR',
});
const at = (day: number): number => Date.UTC(2026, 10, day, 10);
const pay = (charge: string, day: number, more: Partial<NewLedgerEntry> = {}) =>
  buildLedgerEntry('charge', at(day), 'Paid.', { ...facts(charge), ...more });
const then = (kind: NewLedgerEntry['kind'], charge: string, day: number, amount = 79_00) =>
  buildLedgerEntry(kind, at(day), 'Then.', facts(charge, amount));

const recordFor = (userId: string, entries: readonly NewLedgerEntry[]) =>
  test.deps.database.db.transaction().execute(async (tx) => {
    for (const entry of entries) await appendEntry(tx, userId, entry, toLedgerContext(test.deps));
  });
const record = (...entries: NewLedgerEntry[]) => recordFor(member.user.id, entries);

const get = async <T>(url: string, client = admin): Promise<T> => {
  const answer = await client.request({ url });
  expect([url, answer.statusCode, answer.body.slice(0, 200)]).toEqual([
    url,
    200,
    expect.anything(),
  ]);
  return answer.json<T>();
};
const listInvoices = async () =>
  (await get<{ items: Invoice[] }>('/api/subscription/invoices', member.client)).items;
const readTotals = (month = MONTH) => get<BookTotals>(`/api/admin/books/${month}`);
const readCsv = async (sheet: string, month = MONTH): Promise<string[][]> => {
  const answer = await admin.request({ url: `/api/admin/books/${month}/${sheet}.csv` });
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  return answer.body
    .replace('\uFEFF', '')
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.split(','));
};
const readColumn = async (sheet: string, label: string, month = MONTH): Promise<string[]> => {
  const [labels = [], ...rows] = await readCsv(sheet, month);
  expect(labels).toContain(label);
  return rows.map((row) => row[labels.indexOf(label)] ?? '');
};

describeOnSqlite('an invoice', () => {
  it('is a tax invoice with what the law wants when VAT is charged', async () => {
    await chargeVat();
    await record(pay('a', 3));
    const [listed] = await listInvoices();
    const page = await get<InvoicePage>(`/api/subscription/invoices/${listed?.id}`, member.client);
    expect(page).toMatchObject({
      number: '000001',
      amount: 79_00,
      description: 'Premium, monthly',
      tax: { percent: 15, vat: 10_30, excluding: 68_70 },
      buyer: { name: 'thandi', email: 'thandi@example.com', address: '', vatNumber: '' },
      lacksBuyer: false,
      seller: {
        name: 'Weekender Mixes (Pty) Ltd',
        status: 'Private company',
        address: '1 Long Street\nCape Town\n8001',
        registration: '2026/123456/07',
        vatNumber: '4123456789',
      },
    });
  });

  it('never changes, whatever happens to the seller, the buyer, the rate or the payment', async () => {
    await chargeVat();
    await record(pay('a', 3));
    const [listed] = await listInvoices();
    const read = async () => {
      const {
        creditNotes: _notes,
        refunded: _refunded,
        status: _status,
        ...sheet
      } = await get<InvoicePage>(`/api/subscription/invoices/${listed?.id}`, member.client);
      return sheet;
    };
    const before = await read();
    const { db } = test.deps.database;
    await changeSettings(
      db,
      {
        sellerName: 'Another Ltd',
        isVatCharged: false,
        vatRates: [{ percent: 20, from: '2018-04-01' }],
      },
      test.clock.now(),
    );
    await db
      .updateTable('users')
      .set({ username: 'Renamed', email: 'renamed@example.com' })
      .where('id', '=', member.user.id)
      .execute();
    await record(pay('b', 4), then('refund', 'a', 6));
    expect(await read()).toEqual(before);
    const [newer] = await listInvoices();
    const second = await get<InvoicePage>(`/api/subscription/invoices/${newer?.id}`, member.client);
    expect(second).toMatchObject({ tax: null, seller: { name: 'Another Ltd' } });
    expect(second.buyer).toMatchObject({ name: 'Renamed', email: 'renamed@example.com' });
  });

  it('from before the seller was known shows the site and the member’s present name', async () => {
    const old = buildInvoice({
      id: 'old',
      number: 1,
      user_id: member.user.id,
      provider: 'sandbox',
      charge_id: 'x',
      plan: 'annual',
      at: at(1),
      from_at: at(1),
      to_at: at(2),
      amount: 790_00,
      currency: 'ZAR',
    });
    await test.deps.database.db.insertInto('invoices').values(old).execute();
    await chargeVat();
    expect(await get('/api/subscription/invoices/old', member.client)).toMatchObject({
      seller: { name: 'Weekender', vatNumber: '' },
      buyer: { name: 'thandi', email: 'thandi@example.com' },
      description: 'Premium, annual',
      tax: null,
    });
  });

  it('and its credit notes open for their owner and for administrators only', async () => {
    await record(pay('a', 3), then('refund', 'a', 4));
    const [invoice] = await listInvoices();
    const note = invoice?.creditNotes[0];
    const stranger = await createUser(test, 'sipho');
    for (const [path, id] of [
      ['invoices', invoice?.id],
      ['credit-notes', note?.id],
    ]) {
      await get(`/api/subscription/${path}/${id}`, member.client);
      await get(`/api/admin/${path}/${id}`);
      for (const client of [stranger.client, test.createClient()])
        for (const url of [`/api/subscription/${path}/${id}`, `/api/admin/${path}/${id}`])
          expect((await client.request({ url })).statusCode).toBeGreaterThanOrEqual(401);
      expect((await admin.request({ url: `/api/admin/${path}/nothing` })).statusCode).toBe(404);
    }
  });
});

describe('a credit note', () => {
  it('is made for each refund, with its part of the VAT, and all parts add up to the invoice', async () => {
    await chargeVat();
    await record(pay('a', 3), then('refund', 'a', 4, 10_00), then('refund', 'a', 5, 79_00));
    const [invoice] = await listInvoices();
    expect(invoice).toMatchObject({ amount: 79_00, refunded: 79_00, status: 'refunded' });
    expect(invoice?.creditNotes).toMatchObject([
      { kind: 'credit', number: 'CN-000001', amount: 10_00, reason: 'refund', at: at(4) },
      { kind: 'credit', number: 'CN-000002', amount: 69_00, reason: 'refund', at: at(5) },
    ]);
    const pages = await Promise.all(
      (invoice?.creditNotes ?? []).map(({ id }) =>
        get<CreditNotePage>(`/api/subscription/credit-notes/${id}`, member.client),
      ),
    );
    expect(pages[0]).toMatchObject({
      invoice: { number: '000001', issuedAt: test.clock.now() },
      tax: { percent: 15, vat: 1_30, excluding: 8_70 },
      seller: { vatNumber: '4123456789' },
      buyer: { name: 'thandi' },
    });
    expect(pages.map(({ tax }) => tax?.vat)).toEqual([1_30, 9_00]);
  });

  itOnSqlite(
    'of a refund that failed later is taken back by a debit note with its own number',
    async () => {
      await chargeVat();
      await record(pay('a', 3), then('refund', 'a', 4), then('refund', 'a', 6, 0));
      await record(pay('b', 7), then('refund', 'b', 8));
      const invoices = await listInvoices();
      expect(invoices.map(({ creditNotes }) => creditNotes)).toMatchObject([
        [{ kind: 'credit', number: 'CN-000002', amount: 79_00 }],
        [
          { kind: 'credit', number: 'CN-000001', amount: 79_00 },
          { kind: 'debit', number: 'DN-000001', amount: 79_00, reason: 'refund-failed' },
        ],
      ]);
      expect(invoices[1]).toMatchObject({ refunded: 0, status: 'paid' });
      expect(await readColumn('refunds', 'VAT')).toEqual(['10.30', '10.30', '-10.30']);
      expect(await readTotals()).toMatchObject({
        refunds: { amount: 79_00, vat: 10_30, creditNotes: 2, debitNotes: 1 },
      });
    },
  );

  itOnSqlite(
    'follows a dispute only when the bank has decided, and is taken back when it changes its mind',
    async () => {
      await record(pay('a', 3), then('refund', 'a', 4, 10_00), then('dispute', 'a', 5));
      const read = async () => {
        const [invoice] = await listInvoices();
        return [invoice?.status, ...(invoice?.creditNotes ?? []).map((note) => note.amount)];
      };
      expect(await read()).toEqual(['disputed', 10_00]);
      await record(then('dispute-lost', 'a', 9));
      expect(await read()).toEqual(['charged-back', 10_00, 69_00]);
      const [invoice] = await listInvoices();
      expect(invoice?.creditNotes[1]).toMatchObject({ reason: 'charge-back', at: at(9) });
      await record(then('dispute-won', 'a', 12));
      expect(await read()).toEqual(['partly-refunded', 10_00, 69_00, 69_00]);
    },
  );
});

describe('the books of a month', () => {
  it('have every payment with invoice number, provider reference and fee, also without an invoice', async () => {
    await chargeVat();
    const today = dayOf(test.clock.now(), test.deps.config.timeZone);
    await record(
      pay('a', 3, { fee: 3_29 }),
      pay('b', 4),
      buildLedgerEntry('charge-refused', at(5), 'Too much.', {
        ...facts('c', 99_00),
        fee: 3_87,
      }),
      buildLedgerEntry('refund', at(6), 'Given back.', { ...facts('c'), amount: 99_00 }),
      then('refund', 'b', 7, 20_00),
    );
    expect(await readCsv('sales')).toEqual([
      'Invoice,Date,Paid,Booked,Buyer,E-mail,Buyer’s VAT number,Plan,Currency,Amount incl. VAT,VAT rate (%),VAT,Amount excl. VAT,Fee,Provider,Provider reference'.split(
        ',',
      ),
      `000001,${today},2026-11-03,2026-11-03,thandi,thandi@example.com,,monthly,ZAR,79.00,15,10.30,68.70,3.29,sandbox,a`.split(
        ',',
      ),
      `000002,${today},2026-11-04,2026-11-04,thandi,thandi@example.com,,monthly,ZAR,79.00,15,10.30,68.70,,sandbox,b`.split(
        ',',
      ),
    ]);
    expect((await readCsv('refunds'))[1]).toEqual(
      `CN-000001,${today},2026-11-07,2026-11-07,000002,thandi,thandi@example.com,,Refund,ZAR,20.00,15,2.61,17.39,sandbox,b`.split(
        ',',
      ),
    );
    expect((await readCsv('not-invoiced')).slice(1)).toEqual([
      '2026-11-05,2026-11-05,Payment not accepted,ZAR,99.00,3.87,Too much.,sandbox,c'.split(','),
      '2026-11-06,2026-11-06,Payment not accepted,ZAR,-99.00,,Given back.,sandbox,c'.split(','),
    ]);
    expect((await readCsv('vat'))[1]).toEqual('15,ZAR,158.00,20.60,20.00,2.61,17.99'.split(','));
    expect(await readTotals()).toMatchObject({
      sales: { invoices: 2, amount: 158_00, vat: 20_60, fees: 3_29, withoutFee: 1 },
      refunds: { amount: 20_00, vat: 2_61, creditNotes: 1, debitNotes: 0 },
      net: { amount: 138_00, vat: 17_99, excluding: 120_01 },
      notInvoiced: { received: 99_00, returned: 99_00, payments: 1, fees: 3_87 },
      vat: [{ percent: 15, due: 17_99 }],
    });
  });

  it('begin and end at midnight of the site, and list every month since the first payment', async () => {
    const midnight = Date.UTC(2026, 9, 31, 22);
    await record(
      buildLedgerEntry('charge', midnight - 1, 'October.', facts('a')),
      buildLedgerEntry('charge', midnight, 'November.', facts('b')),
    );
    expect(await readColumn('sales', 'Provider reference', '2026-10')).toEqual(['a']);
    expect(await readColumn('sales', 'Provider reference')).toEqual(['b']);
    expect(await get('/api/admin/books')).toMatchObject({ months: ['2026-11', '2026-10'] });
  });

  it('are streamed whole, however many rows they have', async () => {
    const rows = Array.from({ length: 1100 }, (_, index) =>
      buildInvoice({
        id: `i${String(index % 7)}-${index}`,
        number: index + 1,
        user_id: null,
        provider: 'sandbox',
        charge_id: `c${index}`,
        plan: 'monthly',
        // Many at the same time, so that pages end between them.
        at: at(3) + Math.floor(index / 400),
        from_at: 0,
        to_at: 0,
        amount: 79_00,
        currency: 'ZAR',
      }),
    );
    for (let start = 0; start < rows.length; start += 100)
      await test.deps.database.db
        .insertInto('invoices')
        .values(rows.slice(start, start + 100))
        .execute();
    const references = await readColumn('sales', 'Provider reference');
    expect(new Set(references).size).toBe(1100);
    expect(references.length).toBe(1100);
  });

  itOnSqlite('never contain a formula', async () => {
    const { db } = test.deps.database;
    await db
      .insertInto('users')
      .values(buildUser({ id: 'evil', username: '=HYPERLINK("x")', created_at: 1 }))
      .execute();
    await recordFor('evil', [pay('a', 3)]);
    const answer = await admin.request({ url: `/api/admin/books/${MONTH}/sales.csv` });
    expect(answer.body).toContain(`,"'=HYPERLINK(""x"")",`);
  });

  it('keep their sums and lose the names when an account is deleted', async () => {
    await chargeVat();
    await record(pay('a', 3), then('refund', 'a', 4, 20_00));
    const before = await readTotals();
    const payload = { password: PASSWORD, confirmation: 'delete' };
    const [invoice] = await listInvoices();
    const gone = await member.client.request({ method: 'DELETE', url: '/api/me', payload });
    expect(gone.statusCode).toBe(204);
    expect(await readTotals()).toEqual(before);
    expect(await readColumn('sales', 'Buyer')).toEqual(['Deleted account']);
    expect(await readColumn('refunds', 'E-mail')).toEqual(['']);
    expect(await get(`/api/admin/invoices/${invoice?.id}`)).toMatchObject({
      buyer: null,
      userId: null,
      number: '000001',
    });
  });

  it('have the provider’s payouts, with fees where it tells them', async () => {
    test.deps.payments.listPayouts = async ({ from, to }) => {
      // Earlier payouts say which payments are in them already.
      expect([from, to]).toEqual([
        Date.UTC(2026, 9, 31, 22) - 40 * DAY,
        Date.UTC(2026, 10, 30, 22),
      ]);
      const payout = { amount: 500_00, currency: 'ZAR' };
      return [
        { id: 'p2', at: at(20), fees: null, ...payout },
        { id: 'p1', at: at(10), fees: 15_00, ...payout },
      ];
    };
    const { payouts } = await get<Payouts>(`/api/admin/books/${MONTH}/payouts`);
    expect(payouts.map(({ id, fees }) => [id, fees])).toEqual([
      ['p1', 15_00],
      ['p2', null],
    ]);
    expect((await readCsv('payouts')).slice(1)).toEqual([
      '2026-11-10,ZAR,500.00,15.00,500.00,sandbox,p1'.split(','),
      '2026-11-20,ZAR,500.00,,500.00,sandbox,p2'.split(','),
    ]);
    test.deps.payments.listPayouts = async () => {
      throw failure('Not today.');
    };
    for (const url of [
      `/api/admin/books/${MONTH}/payouts`,
      `/api/admin/books/${MONTH}/payouts.csv`,
    ])
      expect((await admin.request({ url })).statusCode).toBe(503);
  });

  itOnSqlite('are for administrators, and reject what is no month or table', async () => {
    for (const path of ['', `/${MONTH}`, `/${MONTH}/payouts`, `/${MONTH}/sales.csv`])
      expect((await member.client.request({ url: `/api/admin/books${path}` })).statusCode).toBe(
        404,
      );
    for (const path of [
      '/2026-13',
      '/2026',
      '/1999-01',
      '/2026-11-02_2026-11-01',
      '/2026-02-30_2026-03-01',
      `/${MONTH}/secrets.csv`,
    ])
      expect((await admin.request({ url: `/api/admin/books${path}` })).statusCode).toBe(400);
  });
});

itOnSqlite('an export of personal data has the invoices with their credit notes', async () => {
  await record(pay('a', 3), then('refund', 'a', 4));
  const items: object[] = [];
  for await (const item of exportBilling(test.deps.database.db, member.user.id)) items.push(item);
  expect(items).toContainEqual(
    expect.objectContaining({
      kind: 'invoice',
      number: '000001',
      buyer: {
        name: 'thandi',
        email: 'thandi@example.com',
        address: null,
        vatNumber: null,
      },
      creditNotes: [expect.objectContaining({ number: 'CN-000001', amount: 79_00 })],
    }),
  );
});

it('a fee that the provider tells later than the payment is filled in once', async () => {
  const me = payingClient(test, member);
  const { payments } = test.deps;
  const { readPayment } = payments;
  let fee: number | null = null;
  payments.readPayment = async (...args) => ({ ...(await readPayment(...args)), fee });
  const { reference } = await me.buy('monthly');
  expect(await readColumn('sales', 'Fee')).toEqual(['']);
  fee = 4_44;
  await settlePayment(test.deps, reference);
  fee = 5_00;
  await settlePayment(test.deps, reference);
  expect(await readColumn('sales', 'Fee')).toEqual(['4.44']);
});

it('a payment that only checked a card is in the books, and went back', async () => {
  const me = payingClient(test, member);
  await me.buy('monthly');
  const { url } = await me.call<{ url: string }>('POST', '/api/subscription/card');
  await test.sandbox.pay(url.split('/').at(-1) ?? '', { card: 'success' });
  await deliverAll(test);
  // The sandbox tells that it went back, too.
  await deliverAll(test);
  expect(await readTotals()).toMatchObject({
    sales: { invoices: 1 },
    cardChecks: { received: 1_00, returned: 1_00, payments: 1 },
  });
});

it('a clock that was set back leaves no gap', async () => {
  const other = await createUser(test, 'lerato');
  await record(pay('a', 3));
  test.clock.advance(-DAY);
  await recordFor(other.user.id, [pay('b', 4)]);
  expect(await readColumn('sales', 'Invoice')).toEqual(['000001', '000002']);
});

it('many payments and refunds at once leave no gap, even if some of them are rolled back', async () => {
  const users = await Promise.all(
    Array.from({ length: 12 }, (_, index) => createUser(test, `member${index}`)),
  );
  const recorded = await Promise.allSettled(
    users.map(({ user: { id } }, index) =>
      test.deps.database.db.transaction().execute(async (tx) => {
        const [first, second] = [`a${index}`, `b${index}`];
        const entries = [pay(first, 3), then('refund', first, 4, 20_00), pay(second, 5)];
        const account = { userId: id, ledger: [] };
        await appendLedgerEntries(tx, account, entries, toLedgerContext(test.deps));
        if (index % 3 === 0) throw new Error('Rolled back.');
      }),
    ),
  );
  expect(recorded.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  const numbers = (count: number) =>
    Array.from({ length: count }, (_, index) => String(index + 1).padStart(6, '0'));
  expect((await readColumn('sales', 'Invoice')).toSorted()).toEqual(numbers(16));
  expect((await readColumn('refunds', 'Credit or debit note')).toSorted()).toEqual(
    numbers(8).map((number) => `CN-${number}`),
  );
});
