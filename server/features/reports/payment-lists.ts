import { sql, type SqlBool } from 'kysely';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { CheckoutState } from '../../db/billing-tables.ts';
import type { Db } from '../../db/connect.ts';
import { toMoments, type Moments } from './moments.ts';
import { hrefOfPerson, nameOfPerson } from './person.ts';
import { fillPage } from './read-parts.ts';
import { row, type FigureList, type ListPosition } from './report.ts';

const listInvoices = (db: Db, { from, to, after }: Moments, limit: number) =>
  db
    .selectFrom('invoices')
    .leftJoin('users', 'users.id', 'invoices.user_id')
    .select(['invoices.id', 'invoices.user_id', 'users.username', 'users.email'])
    .select(['invoices.at', 'invoices.plan', 'invoices.amount', 'invoices.refunded'])
    .where('invoices.at', '<', to)
    .where(
      after
        ? sql<SqlBool>`(invoices.at, invoices.id) > (${sql.join(after)})`
        : sql<SqlBool>`invoices.at >= ${from}`,
    )
    .orderBy('invoices.at')
    .orderBy('invoices.id')
    .limit(limit)
    .execute();

/** Every payment there is an invoice for: those of people who have left stay in the books. */
export const payments: FigureList = {
  columns: [
    { key: 'person', label: 'Person', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'at', label: 'Paid', kind: 'moment' },
    { key: 'plan', label: 'Plan', kind: 'text' },
    { key: 'amount', label: 'Amount', kind: 'cents' },
    { key: 'refunded', label: 'Paid back', kind: 'cents' },
  ],
  read: async (context, range, { after, limit }) => {
    const found = await listInvoices(context.db, toMoments(context, range, after), limit);
    return found.map((one) => ({
      row: row(
        [nameOfPerson(one), one.email, one.at, one.plan, one.amount, one.refunded],
        hrefOfPerson(one.user_id),
      ),
      position: [String(one.at), one.id],
    }));
  },
};

const listCheckouts = (db: Db, { from, to, after }: Moments, limit: number) =>
  db
    .selectFrom('checkouts')
    .leftJoin('users', 'users.id', 'checkouts.user_id')
    .select(['checkouts.reference', 'checkouts.user_id', 'users.username', 'users.email'])
    .select(['checkouts.created_at', 'checkouts.plan', 'checkouts.amount', 'checkouts.state'])
    .where('checkouts.created_at', '<', to)
    .where(
      after
        ? sql<SqlBool>`(checkouts.created_at, checkouts.reference) > (${sql.join(after)})`
        : sql<SqlBool>`checkouts.created_at >= ${from}`,
    )
    .orderBy('checkouts.created_at')
    .orderBy('checkouts.reference')
    .limit(limit)
    .execute();

type ListedCheckout = Awaited<ReturnType<typeof listCheckouts>>[number];

const checkoutsThat = (isOne: (state: CheckoutState) => boolean): FigureList => ({
  columns: [
    { key: 'person', label: 'Person', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'at', label: 'Began', kind: 'moment' },
    { key: 'plan', label: 'Plan', kind: 'text' },
    { key: 'amount', label: 'Amount', kind: 'cents' },
    { key: 'state', label: 'Outcome', kind: 'text' },
  ],
  read: async (context, range, { after, limit }) => {
    const moments = toMoments(context, range, after);
    const found = await fillPage(
      (last: ListedCheckout | null, most) =>
        listCheckouts(
          context.db,
          last ? { ...moments, after: [last.created_at, last.reference] } : moments,
          most,
        ),
      ({ state }) => isOne(state),
      limit,
    );
    return found.map((one) => ({
      row: row(
        [nameOfPerson(one), one.email, one.created_at, one.plan, one.amount, one.state],
        hrefOfPerson(one.user_id),
      ),
      position: [String(one.created_at), one.reference],
    }));
  },
});

export const checkoutsBegun = checkoutsThat(() => true);
export const checkoutsPaid = checkoutsThat((state) => state === 'paid');

const RETURNS = {
  refund: 'Refund',
  dispute: 'Held back by the bank',
  'dispute-won': 'Released by the bank',
} as const;

const listReturns = (
  db: Db,
  { from, to }: DayRange,
  { after, limit }: { after: ListPosition | null; limit: number },
) =>
  db
    .selectFrom('money_returns')
    .leftJoin('users', 'users.id', 'money_returns.user_id')
    .select(['money_returns.id', 'money_returns.user_id', 'users.username', 'users.email'])
    .select(['money_returns.day', 'money_returns.at', 'money_returns.kind', 'money_returns.amount'])
    .where('money_returns.day', '<=', to)
    .where(
      after
        ? sql<SqlBool>`(money_returns.day, money_returns.id) > (${after[0]}, ${after[1]})`
        : sql<SqlBool>`money_returns.day >= ${from}`,
    )
    .orderBy('money_returns.day')
    .orderBy('money_returns.id')
    .limit(limit)
    .execute();

/** Everything that went back; what came again is less than nothing. */
export const moneyReturned: FigureList = {
  columns: [
    { key: 'person', label: 'Person', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'at', label: 'When', kind: 'moment' },
    { key: 'kind', label: 'What', kind: 'text' },
    { key: 'amount', label: 'Paid back', kind: 'cents' },
  ],
  read: async ({ db }, range, page) => {
    const found = await listReturns(db, range, page);
    return found.map((one) => ({
      row: row(
        [nameOfPerson(one), one.email, one.at, RETURNS[one.kind], one.amount],
        hrefOfPerson(one.user_id),
      ),
      position: [one.day, one.id],
    }));
  },
};
