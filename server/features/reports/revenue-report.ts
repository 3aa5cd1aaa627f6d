import type { DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';
import type { MoneyDaysTable } from '../../db/types/report-tables.ts';
import {
  type FigureList,
  type ListCursor,
  type TimeRange,
  type ReportDefinition,
  row,
  buildDayRows,
  sumOf,
  toTimeRange,
} from './report.ts';
import { userHref, formatUserName } from './user-names.ts';

const listInvoices = (db: Db, { from, to, after }: TimeRange, limit: number) =>
  db
    .selectFrom('invoices')
    .leftJoin('users', 'users.id', 'invoices.user_id')
    .select(['invoices.id', 'invoices.user_id', 'users.username', 'users.email'])
    .select(['invoices.at', 'invoices.plan', 'invoices.amount', 'invoices.refunded'])
    .where('invoices.at', '<', to)
    .where(startAfter(['invoices.at', 'invoices.id'], after, from))
    .orderBy('invoices.at')
    .orderBy('invoices.id')
    .limit(limit)
    .execute();

/** Every invoiced payment, including those of deleted accounts. */
const payments: FigureList = {
  columns: [
    { key: 'user', label: 'Member', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'at', label: 'Paid', kind: 'time' },
    { key: 'plan', label: 'Plan', kind: 'text' },
    { key: 'amount', label: 'Amount', kind: 'cents' },
    { key: 'refunded', label: 'Refunded', kind: 'cents' },
  ],
  read: async (context, range, { after, limit }) => {
    const found = await listInvoices(context.db, toTimeRange(context, range, after), limit);
    return found.map((one) => ({
      row: row(
        [formatUserName(one), one.email, one.at, one.plan, one.amount, one.refunded],
        userHref(one.user_id),
      ),
      cursor: [String(one.at), one.id],
    }));
  },
};

const RETURNS = {
  refund: 'Refund',
  dispute: 'Chargeback',
  'dispute-won': 'Chargeback reversed',
} as const;

const listReturns = (
  db: Db,
  { from, to }: DayRange,
  { after, limit }: { after: ListCursor | null; limit: number },
) =>
  db
    .selectFrom('money_returns')
    .leftJoin('users', 'users.id', 'money_returns.user_id')
    .select(['money_returns.id', 'money_returns.user_id', 'users.username', 'users.email'])
    .select(['money_returns.day', 'money_returns.at', 'money_returns.kind', 'money_returns.amount'])
    .where('money_returns.day', '<=', to)
    .where(startAfter(['money_returns.day', 'money_returns.id'], after, from))
    .orderBy('money_returns.day')
    .orderBy('money_returns.id')
    .limit(limit)
    .execute();

/** Refunds and chargebacks; a reversed chargeback is negative. */
const moneyReturned: FigureList = {
  columns: [
    { key: 'user', label: 'Member', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'at', label: 'Date', kind: 'time' },
    { key: 'kind', label: 'Type', kind: 'text' },
    { key: 'amount', label: 'Refunded', kind: 'cents' },
  ],
  read: async ({ db }, range, page) => {
    const found = await listReturns(db, range, page);
    return found.map((one) => ({
      row: row(
        [formatUserName(one), one.email, one.at, RETURNS[one.kind], one.amount],
        userHref(one.user_id),
      ),
      cursor: [one.day, one.id],
    }));
  },
};

const listMoneyDays = (db: Db, { from, to }: DayRange): Promise<MoneyDaysTable[]> =>
  db
    .selectFrom('money_days')
    .selectAll()
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();

export const revenue: ReportDefinition = {
  title: 'Revenue',
  definition: 'Payments minus refunds and chargebacks, by date.',
  plot: 'bars',
  columns: [
    { key: 'day', label: 'Day', kind: 'day' },
    { key: 'net', label: 'Revenue', kind: 'cents', aggregate: 'sum' },
    { key: 'charged', label: 'Paid', kind: 'cents', aggregate: 'sum' },
    { key: 'returned', label: 'Refunded', kind: 'cents', aggregate: 'sum' },
    { key: 'payments', label: 'Payments', kind: 'count', aggregate: 'sum' },
  ],
  figures: {
    net: {
      label: 'Revenue',
      definition: 'Payments minus refunds and chargebacks in this period.',
      unit: 'cents',
      isGoodWhen: 'more',
    },
    payments: {
      label: 'Payments',
      definition: 'Confirmed payments.',
      unit: 'count',
      isGoodWhen: 'more',
      list: payments,
    },
    returned: {
      label: 'Refunded',
      definition: 'Refunds and chargebacks.',
      unit: 'cents',
      isGoodWhen: 'less',
      list: moneyReturned,
    },
  },
  compares: 'rows',
  async read({ db }, range) {
    const found = await listMoneyDays(db, range);
    const [charged, returned] = [sumOf(found, (d) => d.charged), sumOf(found, (d) => d.returned)];
    return {
      values: { net: charged - returned, payments: sumOf(found, (d) => d.payments), returned },
      rows: buildDayRows(
        range,
        found,
        ({ charged: paid = 0, returned: refunded = 0, payments: count = 0 }) => [
          paid - refunded,
          paid,
          refunded,
          count,
        ],
      ),
    };
  },
};
