import { sql } from 'kysely';
import type { BookTotals, Payouts } from '#contract/admin/books.ts';
import { dayOf, startOfDay } from '#contract/rules/days.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { addMonths, monthOf } from '#contract/rules/report-days.ts';
import { toVatPercent } from '../../vat.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { listPayouts } from '../billing/payouts/service.ts';

/** From the first moment of the month to that of the next one. */
export type TimeSpan = { from: number; to: number };

export const spanOf = (month: string, timeZone: string): TimeSpan => ({
  from: startOfDay(`${month}-01`, timeZone),
  to: startOfDay(addMonths(`${month}-01`, 1), timeZone),
});

const findFirst = async (
  db: Db,
  table: 'invoices' | 'credit_notes' | 'refused_payments',
): Promise<number | null> =>
  (await db.selectFrom(table).select('at').orderBy('at').orderBy('id').limit(1).executeTakeFirst())
    ?.at ?? null;

/** From the first payment to this month, newest first. */
export async function listMonths({ database, config, clock }: Deps): Promise<string[]> {
  const { db } = database;
  const firsts = [
    await findFirst(db, 'invoices'),
    await findFirst(db, 'credit_notes'),
    await findFirst(db, 'refused_payments'),
  ].filter((at) => at !== null);
  const now = clock.now();
  const first = monthOf(dayOf(Math.min(now, ...firsts), config.timeZone));
  const months: string[] = [];
  let month = monthOf(dayOf(now, config.timeZone));
  while (month >= first) {
    months.push(month);
    month = monthOf(addMonths(`${month}-01`, -1));
  }
  return months;
}

type Amounts = { amount: number; vat: number };

const nothing: Amounts = { amount: 0, vat: 0 };

const withoutVat = ({ amount, vat }: Amounts) => ({ amount, vat, excluding: amount - vat });

const sum = (all: readonly Amounts[]): Amounts =>
  all.reduce(
    (total, one) => ({ amount: total.amount + one.amount, vat: total.vat + one.vat }),
    nothing,
  );

const minus = (a: Amounts, b: Amounts): Amounts => ({
  amount: a.amount - b.amount,
  vat: a.vat - b.vat,
});

const count = sql<number>`count(*)`.as('count');

const sumSales = (db: Db, { from, to }: TimeSpan) =>
  db
    .selectFrom('invoices')
    .select(['vat_rate', count])
    .select([sql<number>`sum(amount)`.as('amount'), sql<number>`sum(vat)`.as('vat')])
    .select([sql<number | null>`sum(fee)`.as('fees'), sql<number>`count(fee)`.as('told')])
    .where('at', '>=', from)
    .where('at', '<', to)
    .groupBy('vat_rate')
    .execute();

const sumRefunds = (db: Db, { from, to }: TimeSpan) =>
  db
    .selectFrom('credit_notes')
    .innerJoin('invoices', 'invoices.id', 'credit_notes.invoice_id')
    .select(['invoices.vat_rate', 'credit_notes.kind', count])
    .select([
      sql<number>`sum(credit_notes.amount)`.as('amount'),
      sql<number>`sum(credit_notes.vat)`.as('vat'),
    ])
    .where('credit_notes.at', '>=', from)
    .where('credit_notes.at', '<', to)
    .groupBy(['invoices.vat_rate', 'credit_notes.kind'])
    .execute();

/** Only in our currency: others can't be added up, but the table has them. */
const sumRefused = (db: Db, { from, to }: TimeSpan) =>
  db
    .selectFrom('refused_payments')
    .select([
      sql<number | null>`sum(case when amount > 0 then amount else 0 end)`.as('received'),
      sql<number | null>`sum(case when amount < 0 then -amount else 0 end)`.as('returned'),
      sql<number | null>`sum(case when amount > 0 then 1 else 0 end)`.as('payments'),
      sql<number | null>`sum(fee)`.as('fees'),
    ])
    .where('at', '>=', from)
    .where('at', '<', to)
    .where('currency', '=', CURRENCY)
    .executeTakeFirst();

const total = <R>(rows: readonly R[], pick: (row: R) => number): number =>
  rows.reduce((all, row) => all + pick(row), 0);

export async function readTotals({ database, config }: Deps, month: string): Promise<BookTotals> {
  const { db } = database;
  const span = spanOf(month, config.timeZone);
  const sales = await sumSales(db, span);
  const refunds = await sumRefunds(db, span);
  const refused = await sumRefused(db, span);
  const rates = [...new Set([...sales, ...refunds].map(({ vat_rate }) => vat_rate))].toSorted(
    (a, b) => (b ?? 0) - (a ?? 0),
  );
  const notes = (kind: 'credit' | 'debit') =>
    total(
      refunds.filter((row) => row.kind === kind),
      (row) => row.count,
    );
  return {
    month,
    sales: {
      ...withoutVat(sum(sales)),
      invoices: total(sales, (row) => row.count),
      fees: total(sales, (row) => row.fees ?? 0),
      withoutFee: total(sales, (row) => row.count - row.told),
    },
    refunds: {
      ...withoutVat(sum(refunds)),
      creditNotes: notes('credit'),
      debitNotes: notes('debit'),
    },
    net: withoutVat(minus(sum(sales), sum(refunds))),
    notInvoiced: {
      received: refused?.received ?? 0,
      returned: refused?.returned ?? 0,
      payments: refused?.payments ?? 0,
      fees: refused?.fees ?? 0,
    },
    vat: rates.map((rate) => {
      const sold = sum(sales.filter((row) => row.vat_rate === rate));
      const credited = sum(refunds.filter((row) => row.vat_rate === rate));
      return {
        percent: rate === null ? null : toVatPercent(rate),
        sales: withoutVat(sold),
        refunds: withoutVat(credited),
        due: sold.vat - credited.vat,
      };
    }),
  };
}

export async function readPayouts(deps: Deps, month: string): Promise<Payouts> {
  const payouts = await listPayouts(deps, spanOf(month, deps.config.timeZone));
  return {
    provider: deps.payments.name,
    payouts: payouts.map(({ id, at, amount, fees, currency }) => ({
      id,
      at,
      amount,
      fees,
      currency,
    })),
  };
}
