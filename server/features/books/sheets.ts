import type { BookSheet } from '#contract/admin/books.ts';
import type { Column, ReportRow } from '#contract/admin/reports.ts';
import { dayOf } from '#contract/rules/days.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { toVatPercent } from '../../vat.ts';
import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';
import type { Deps } from '../../deps.ts';
import { formatInvoiceNumber, formatNoteNumber } from '../billing/invoices/service.ts';
import type { CsvTable } from '../../http/csv.ts';
import { readPayouts, readTotals, spanOf, type TimeSpan } from './totals.ts';

type Cells = ReportRow['cells'];

/** A table of the books, row by row. */
type Sheet = { title: string } & CsvTable;

const text = (key: string, label: string): Column => ({ key, label, kind: 'text' });
const day = (key: string, label: string): Column => ({ key, label, kind: 'day' });
const cents = (key: string, label: string): Column => ({ key, label, kind: 'cents' });

const BATCH_SIZE = 500;

/** In batches ordered by time, so that memory holds one of them however long the table is. */
async function* readRows<Row extends { at: number; id: string }>(
  readBatch: (after: [number, string] | null, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let last: Row | undefined; ;) {
    const rows: Row[] = await readBatch(last ? [last.at, last.id] : null, BATCH_SIZE);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < BATCH_SIZE) return;
  }
}

async function* mapRows<Row>(rows: AsyncIterable<Row>, toCells: (row: Row) => Cells) {
  for await (const row of rows) yield { cells: toCells(row) };
}

const listSales = (db: Db, { from, to }: TimeSpan, after: [number, string] | null, limit: number) =>
  db
    .selectFrom('invoices')
    .leftJoin('users', 'users.id', 'invoices.user_id')
    .selectAll('invoices')
    .select(['users.username', 'users.email'])
    .where('invoices.at', '<', to)
    .where(startAfter(['invoices.at', 'invoices.id'], after, from))
    .orderBy('invoices.at')
    .orderBy('invoices.id')
    .limit(limit)
    .execute();

const listNotes = (db: Db, { from, to }: TimeSpan, after: [number, string] | null, limit: number) =>
  db
    .selectFrom('credit_notes')
    .innerJoin('invoices', 'invoices.id', 'credit_notes.invoice_id')
    .leftJoin('users', 'users.id', 'invoices.user_id')
    .selectAll('credit_notes')
    .select(['invoices.number as invoice_number', 'invoices.vat_rate'])
    .select(['invoices.provider', 'invoices.charge_id'])
    .select(['invoices.buyer_name', 'invoices.buyer_email', 'users.username', 'users.email'])
    .where('credit_notes.at', '<', to)
    .where(startAfter(['credit_notes.at', 'credit_notes.id'], after, from))
    .orderBy('credit_notes.at')
    .orderBy('credit_notes.id')
    .limit(limit)
    .execute();

const listRefused = (
  db: Db,
  { from, to }: TimeSpan,
  after: [number, string] | null,
  limit: number,
) =>
  db
    .selectFrom('refused_payments')
    .selectAll()
    .where('at', '<', to)
    .where(startAfter(['at', 'id'], after, from))
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
    .execute();

type BuyerRow = {
  buyer_name: string | null;
  buyer_email: string | null;
  username: string | null;
  email: string | null;
};

/** As on the invoice; an old invoice has the present name, and a deleted account none. */
const toBuyer = ({ buyer_name, buyer_email, username, email }: BuyerRow): [string, string] => [
  buyer_name ?? username ?? 'Deleted account',
  buyer_email ?? email ?? '',
];

const NOT_TOLD = 'not told';
const NO_VAT = 'no VAT';

const toRate = (rate: number | null): string => (rate === null ? NO_VAT : `${toVatPercent(rate)}%`);

const buyerColumns = [text('buyer', 'Buyer'), text('email', 'E-mail')];
const amountColumns = [
  text('currency', 'Currency'),
  cents('amount', 'Amount incl. VAT'),
  text('rate', 'VAT rate'),
  cents('vat', 'VAT'),
  cents('excluding', 'Amount excl. VAT'),
];
const providerColumns = [text('provider', 'Provider'), text('reference', 'Provider reference')];

type AmountRow = { currency: string; amount: number; vat: number; vat_rate: number | null };

const toAmounts = ({ currency, amount, vat, vat_rate }: AmountRow): Cells => [
  currency,
  amount,
  toRate(vat_rate),
  vat,
  amount - vat,
];

type Context = Deps & { month: string; span: TimeSpan; dayAt: (at: number) => string };

const salesSheet = ({ database, span, dayAt }: Context): Sheet => ({
  title: 'Sales',
  columns: [
    day('day', 'Date'),
    text('invoice', 'Invoice'),
    ...buyerColumns,
    text('plan', 'Plan'),
    ...amountColumns,
    cents('fee', 'Fee'),
    ...providerColumns,
  ],
  rows: mapRows(
    readRows((after, limit) => listSales(database.db, span, after, limit)),
    (row) => [
      dayAt(row.at),
      formatInvoiceNumber(row.number),
      ...toBuyer(row),
      row.plan,
      ...toAmounts(row),
      row.fee ?? NOT_TOLD,
      row.provider,
      row.charge_id,
    ],
  ),
});

const reasons = {
  refund: 'Refund',
  'charge-back': 'Chargeback',
  'refund-failed': 'Refund failed',
  'charge-back-won': 'Chargeback reversed',
};

const refundsSheet = ({ database, span, dayAt }: Context): Sheet => ({
  title: 'Refunds',
  columns: [
    day('day', 'Date'),
    text('note', 'Credit or debit note'),
    text('invoice', 'Invoice'),
    ...buyerColumns,
    text('reason', 'Reason'),
    ...amountColumns,
    ...providerColumns,
  ],
  rows: mapRows(
    readRows((after, limit) => listNotes(database.db, span, after, limit)),
    (row) => [
      dayAt(row.at),
      formatNoteNumber(row),
      formatInvoiceNumber(row.invoice_number),
      ...toBuyer(row),
      reasons[row.reason],
      ...toAmounts(row),
      row.provider,
      row.charge_id,
    ],
  ),
});

const notInvoicedSheet = ({ database, span, dayAt }: Context): Sheet => ({
  title: 'Not invoiced',
  columns: [
    day('day', 'Date'),
    text('invoice', 'Invoice'),
    text('currency', 'Currency'),
    cents('amount', 'Received (returned below zero)'),
    cents('fee', 'Fee'),
    text('because', 'Reason'),
    ...providerColumns,
  ],
  rows: mapRows(
    readRows((after, limit) => listRefused(database.db, span, after, limit)),
    (row) => [
      dayAt(row.at),
      'none',
      row.currency,
      row.amount,
      row.amount > 0 ? (row.fee ?? NOT_TOLD) : null,
      row.because,
      row.provider,
      row.charge_id,
    ],
  ),
});

/** Read before the first byte is sent, so that a silent provider is an error and not half a file. */
async function readPayoutsSheet(context: Context): Promise<Sheet> {
  const { provider, payouts } = await readPayouts(context, context.month);
  return {
    title: 'Payouts',
    columns: [
      day('day', 'Date'),
      text('currency', 'Currency'),
      cents('amount', 'Paid out'),
      cents('fees', 'Fees'),
      ...providerColumns,
    ],
    rows: payouts.map(({ id, at, amount, fees, currency }) => ({
      cells: [context.dayAt(at), currency, amount, fees ?? NOT_TOLD, provider, id],
    })),
  };
}

async function readVatSheet(context: Context): Promise<Sheet> {
  const { vat } = await readTotals(context, context.month);
  return {
    title: 'VAT',
    columns: [
      text('rate', 'VAT rate'),
      text('currency', 'Currency'),
      cents('sales', 'Sales incl. VAT'),
      cents('output', 'VAT on sales'),
      cents('refunds', 'Refunds incl. VAT'),
      cents('credited', 'VAT on refunds'),
      cents('due', 'VAT due'),
    ],
    rows: vat.map(({ percent, sales, refunds, due }) => ({
      cells: [
        percent === null ? NO_VAT : `${percent}%`,
        CURRENCY,
        sales.amount,
        sales.vat,
        refunds.amount,
        refunds.vat,
        due,
      ],
    })),
  };
}

const sheets: Record<BookSheet, (context: Context) => Sheet | Promise<Sheet>> = {
  sales: salesSheet,
  refunds: refundsSheet,
  'not-invoiced': notInvoicedSheet,
  payouts: readPayoutsSheet,
  vat: readVatSheet,
};

export async function openSheet(deps: Deps, month: string, name: BookSheet): Promise<Sheet> {
  const { timeZone } = deps.config;
  return sheets[name]({
    ...deps,
    month,
    span: spanOf(month, timeZone),
    dayAt: (at) => dayOf(at, timeZone),
  });
}
