import { sql } from 'kysely';
import type { BookTotals } from '#contract/admin/books.ts';
import { startOfDay } from '#contract/rules/days.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { RefusedPaymentKind } from '../../db/types/books-tables.ts';
import { toVatPercent } from '#contract/rules/vat.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';

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

const sumSales = (db: Db, { from, to }: DayRange, startsAt: number) =>
  db
    .selectFrom('invoices')
    .select(['vat_rate', count])
    .select([sql<number>`sum(amount)`.as('amount'), sql<number>`sum(vat)`.as('vat')])
    .select([sql<number | null>`sum(fee)`.as('fees'), sql<number>`count(fee)`.as('told')])
    .select(sql<number>`sum(case when at < ${startsAt} then 1 else 0 end)`.as('late'))
    .where('booked_on', '>=', from)
    .where('booked_on', '<=', to)
    .groupBy('vat_rate')
    .execute();

const sumRefunds = (db: Db, { from, to }: DayRange, startsAt: number) =>
  db
    .selectFrom('credit_notes')
    .innerJoin('invoices', 'invoices.id', 'credit_notes.invoice_id')
    .select(['invoices.vat_rate', 'credit_notes.kind', count])
    .select([
      sql<number>`sum(credit_notes.amount)`.as('amount'),
      sql<number>`sum(credit_notes.vat)`.as('vat'),
      sql<number>`sum(case when credit_notes.at < ${startsAt} then 1 else 0 end)`.as('late'),
    ])
    .where('credit_notes.booked_on', '>=', from)
    .where('credit_notes.booked_on', '<=', to)
    .groupBy(['invoices.vat_rate', 'credit_notes.kind'])
    .execute();

/** Only in our currency: others can't be added up, but the table has them. */
const sumRefused = (db: Db, { from, to }: DayRange) =>
  db
    .selectFrom('refused_payments')
    .select([
      'kind',
      sql<number>`sum(case when amount > 0 then amount else 0 end)`.as('received'),
      sql<number>`sum(case when amount < 0 then -amount else 0 end)`.as('returned'),
      sql<number>`sum(case when amount > 0 then 1 else 0 end)`.as('payments'),
      sql<number | null>`sum(fee)`.as('fees'),
    ])
    .where('booked_on', '>=', from)
    .where('booked_on', '<=', to)
    .where('currency', '=', CURRENCY)
    .groupBy('kind')
    .execute();

const total = <R>(rows: readonly R[], pick: (row: R) => number): number =>
  rows.reduce((all, row) => all + pick(row), 0);

function findKind(rows: Awaited<ReturnType<typeof sumRefused>>, kind: RefusedPaymentKind) {
  const { received, returned, payments, fees } = rows.find((row) => row.kind === kind) ?? {
    received: 0,
    returned: 0,
    payments: 0,
    fees: 0,
  };
  return { received, returned, payments, fees: fees ?? 0 };
}

type RateRow = Amounts & { vat_rate: number | null };

function listRates(sales: readonly RateRow[], refunds: readonly RateRow[]): BookTotals['vat'] {
  const rates = [...new Set([...sales, ...refunds].map(({ vat_rate }) => vat_rate))];
  return rates
    .toSorted((a, b) => (b ?? 0) - (a ?? 0))
    .map((rate) => {
      const sold = sum(sales.filter((row) => row.vat_rate === rate));
      const credited = sum(refunds.filter((row) => row.vat_rate === rate));
      return {
        percent: rate === null ? null : toVatPercent(rate),
        sales: withoutVat(sold),
        refunds: withoutVat(credited),
        due: sold.vat - credited.vat,
      };
    });
}

export async function readTotals(
  { database, config }: Pick<Deps, 'database' | 'config'>,
  period: DayRange,
): Promise<BookTotals> {
  const { db } = database;
  const startsAt = startOfDay(period.from, config.timeZone);
  const sales = await sumSales(db, period, startsAt);
  const refunds = await sumRefunds(db, period, startsAt);
  const refused = await sumRefused(db, period);
  const notes = (kind: 'credit' | 'debit') =>
    total(
      refunds.filter((row) => row.kind === kind),
      (row) => row.count,
    );
  return {
    ...period,
    late: total([...sales, ...refunds], (row) => row.late),
    sales: {
      ...withoutVat(sum(sales)),
      invoices: total(sales, (row) => row.count),
      fees: total(sales, (row) => row.fees ?? 0) + findKind(refused, 'fee').fees,
      withoutFee: total(sales, (row) => row.count - row.told),
    },
    refunds: {
      ...withoutVat(sum(refunds)),
      creditNotes: notes('credit'),
      debitNotes: notes('debit'),
    },
    net: withoutVat(minus(sum(sales), sum(refunds))),
    notInvoiced: findKind(refused, 'payment'),
    cardChecks: findKind(refused, 'card-check'),
    vat: listRates(sales, refunds),
  };
}
