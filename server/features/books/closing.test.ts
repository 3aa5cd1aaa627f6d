/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BookMonths, BookTotals } from '#contract/admin/books.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { DAY } from '#contract/rules/time.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';
import { recordLateFee } from '../billing/ledger/without-invoice.ts';
import {
  buildLedgerEntry,
  toLedgerContext,
  type NewLedgerEntry,
} from '../billing/ledger/ledger-entries.ts';
import { appendEntry } from '../billing/ledger/service.ts';

let test: TestApp;
let admin: TestClient;
let member: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  ({ client: admin } = await createAdmin(test));
  member = await createUser(test);
});
afterEach(() => test.close());

const inOctober = Date.UTC(2026, 9, 20, 10);
const inNovember = Date.UTC(2026, 10, 3, 10);

const charge = (id: string, at: number): NewLedgerEntry =>
  buildLedgerEntry('charge', at, 'Paid.', {
    provider: 'sandbox',
    subscription_id: 'sub',
    charge_id: id,
    plan: 'monthly',
    amount: 79_00,
    currency: 'ZAR',
  });
const record = (...entries: NewLedgerEntry[]) =>
  test.deps.database.db.transaction().execute(async (tx) => {
    for (const entry of entries)
      await appendEntry(tx, member.user.id, entry, toLedgerContext(test.deps));
  });

const close = (month: string) =>
  admin.request({ method: 'POST', url: '/api/admin/books/close', payload: { month } });
const reopen = (month: string, reason: string) =>
  admin.request({ method: 'POST', url: '/api/admin/books/reopen', payload: { month, reason } });
const readTotals = async (period: string) =>
  (await admin.request({ url: `/api/admin/books/${period}` })).json<BookTotals>();
const readRows = async (period: string, sheet: string): Promise<string[]> =>
  (await admin.request({ url: `/api/admin/books/${period}/${sheet}.csv` })).body
    .split('\r\n')
    .slice(1, -1);
const booking = () => ({ now: test.clock.now(), timeZone: test.deps.config.timeZone });

it('a payment of a closed month is booked in the next one, with its own date', async () => {
  await record(charge('a', inOctober));
  expect((await close('2026-10')).json<BookMonths>().closed).toBe('2026-10');
  await record(charge('b', inOctober), charge('c', inNovember));
  expect(await readTotals('2026-10')).toMatchObject({ sales: { invoices: 1 }, late: 0 });
  expect(await readTotals('2026-11')).toMatchObject({ sales: { invoices: 2 }, late: 1 });
  const [late] = await readRows('2026-11', 'sales');
  expect(late?.split(',').slice(0, 4)).toEqual([
    '000002',
    '2026-11-15',
    '2026-10-20',
    '2026-11-01',
  ]);
});

it('until its month is closed, a late payment is booked on its own day', async () => {
  await record(charge('c', inNovember), charge('a', inOctober));
  const [late] = await readRows('2026-10', 'sales');
  expect(late?.split(',').slice(0, 4)).toEqual([
    '000002',
    '2026-11-15',
    '2026-10-20',
    '2026-10-20',
  ]);
});

it('a fee that is told after its month was closed is money of the next one, once', async () => {
  await record(charge('a', inOctober));
  await close('2026-10');
  const tell = () =>
    test.deps.database.db
      .transaction()
      .execute((tx) => recordLateFee(tx, 'sandbox', { chargeId: 'a', fee: 3_29 }, booking()));
  await tell();
  await tell();
  expect(await readTotals('2026-10')).toMatchObject({ sales: { fees: 0, withoutFee: 1 } });
  expect(await readTotals('2026-11')).toMatchObject({ sales: { fees: 3_29, withoutFee: 0 } });
  expect(await readRows('2026-11', 'not-invoiced')).toEqual([
    '2026-10-20,2026-11-01,Late fee,ZAR,0.00,3.29,The fee was told after the month was closed.,sandbox,a',
  ]);
});

it('card checks are lines of their own, in and out, with their fees', async () => {
  const facts = { provider: 'sandbox', charge_id: 'k', amount: 1_00, currency: 'ZAR' };
  const back = buildLedgerEntry('refund', inNovember + DAY, 'Given back.', facts);
  await record(buildLedgerEntry('card-check', inNovember, 'Checked a card.', facts));
  await test.deps.database.db
    .transaction()
    .execute((tx) => recordLateFee(tx, 'sandbox', { chargeId: 'k', fee: 3 }, booking()));
  await record(back);
  await record(back);
  expect(await readRows('2026-11', 'not-invoiced')).toEqual([
    '2026-11-03,2026-11-03,Card check,ZAR,1.00,0.03,Checked a card.,sandbox,k',
    '2026-11-04,2026-11-04,Card check,ZAR,-1.00,,Given back.,sandbox,k',
  ]);
  expect(await readTotals('2026-11')).toMatchObject({
    cardChecks: { received: 1_00, returned: 1_00, payments: 1, fees: 3 },
    notInvoiced: { received: 0, returned: 0, payments: 0, fees: 0 },
  });
});

it('only months that are over can be closed, each once', async () => {
  for (const [month, message] of [
    ['2026-11', 'Only a month that is over can be closed.'],
    ['2027-01', 'Only a month that is over can be closed.'],
    ['2026-13', 'Enter a month as YYYY-MM.'],
  ] as const) {
    const answer = await close(month);
    expect([answer.statusCode, answer.json<ErrorBody>().fields?.month]).toEqual([400, message]);
  }
  expect((await close('2026-09')).statusCode).toBe(200);
  for (const month of ['2026-09', '2026-08'])
    expect((await close(month)).json<ErrorBody>().message).toBe('This month is closed already.');
  expect((await close('2026-10')).statusCode).toBe(200);
});

it('only the last closed month opens again, with a reason in the audit log', async () => {
  await close('2026-10');
  expect((await reopen('2026-09', 'Mistake.')).statusCode).toBe(400);
  expect((await reopen('2026-10', ' ')).statusCode).toBe(400);
  expect((await reopen('2026-10', 'Closed too early.')).json<BookMonths>().closed).toBe('2026-09');
  await record(charge('a', inOctober));
  expect(await readTotals('2026-10')).toMatchObject({ sales: { invoices: 1 } });
  const acts = await test.deps.database.db
    .selectFrom('audit_log')
    .select(['action', 'after', 'reason'])
    .orderBy('action')
    .execute();
  expect(acts).toEqual([
    { action: 'books.closed', after: '{"closedUntil":"2026-10"}', reason: null },
    { action: 'books.reopened', after: '{"closedUntil":"2026-09"}', reason: 'Closed too early.' },
  ]);
});

it('a month that is closed while payments are recorded gets all or none of each of them', async () => {
  const users = await Promise.all(
    Array.from({ length: 8 }, (_, index) => createUser(test, `member${index}`)),
  );
  const [answer] = await Promise.all([
    close('2026-10'),
    ...users.map(({ user }, index) =>
      test.deps.database.db
        .transaction()
        .execute((tx) =>
          appendEntry(tx, user.id, charge(`c${index}`, inOctober), toLedgerContext(test.deps)),
        ),
    ),
  ]);
  expect(answer.statusCode).toBe(200);
  const october = await readTotals('2026-10');
  await record(charge('z', inOctober));
  expect(await readTotals('2026-10')).toEqual(october);
  const both = await readTotals('2026-10-01_2026-11-30');
  expect(both.sales.invoices).toBe(9);
});
