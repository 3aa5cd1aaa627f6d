import type { BookSheet, PayoutPayment } from '#contract/admin/books.ts';
import type { Column, ReportRow } from '#contract/admin/reports.ts';
import { dayOf } from '#contract/rules/days.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import { toVatPercent } from '#contract/rules/vat.ts';
import { readSettings, type Settings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { formatInvoiceNumber, formatNoteNumber } from '../billing/ledger/service.ts';
import type { CsvTable } from '../../http/send/csv.ts';
import { readInvoices, readNotes, readRefused, toBuyer } from './documents.ts';
import { readMatchedPayouts } from './payouts.ts';
import { buildSageSheet, buildXeroSheet } from './program-sheets.ts';
import { readTotals } from './totals.ts';

type Cells = ReportRow['cells'];

/** A table of the books, row by row. */
type Sheet = { title: string } & CsvTable;

const text = (key: string, label: string): Column => ({ key, label, kind: 'text' });
const day = (key: string, label: string): Column => ({ key, label, kind: 'day' });
const cents = (key: string, label: string): Column => ({ key, label, kind: 'cents' });
const percent = (key: string, label: string): Column => ({ key, label, kind: 'percent' });

async function* mapRows<Row>(rows: AsyncIterable<Row>, toCells: (row: Row) => Cells) {
  for await (const row of rows) yield { cells: toCells(row) };
}

const buyerColumns = [
  text('buyer', 'Buyer'),
  text('email', 'E-mail'),
  text('buyer-vat', 'Buyer’s VAT number'),
];
const amountColumns = [
  text('currency', 'Currency'),
  cents('amount', 'Amount incl. VAT'),
  percent('rate', 'VAT rate (%)'),
  cents('vat', 'VAT'),
  cents('excluding', 'Amount excl. VAT'),
];
const providerColumns = [text('provider', 'Provider'), text('reference', 'Provider reference')];

function toBuyerCells(row: Parameters<typeof toBuyer>[0]): Cells {
  const { name, email, vatNumber } = toBuyer(row);
  return [name, email, vatNumber];
}

type AmountRow = { currency: string; amount: number; vat: number; vat_rate: number | null };

const toAmounts = ({ currency, amount, vat, vat_rate }: AmountRow): Cells => [
  currency,
  amount,
  vat_rate === null ? null : toVatPercent(vat_rate),
  vat,
  amount - vat,
];

type Context = Deps & { period: DayRange; settings: Settings; dayAt: (at: number) => string };

const salesSheet = ({ database, period, dayAt }: Context): Sheet => ({
  title: 'Sales',
  columns: [
    text('invoice', 'Invoice'),
    day('day', 'Date'),
    day('paid', 'Paid'),
    day('booked', 'Booked'),
    ...buyerColumns,
    text('plan', 'Plan'),
    ...amountColumns,
    cents('fee', 'Fee'),
    ...providerColumns,
  ],
  rows: mapRows(readInvoices(database.db, period), (row) => [
    formatInvoiceNumber(row.number),
    dayAt(row.issued_at),
    dayAt(row.at),
    row.booked_on,
    ...toBuyerCells(row),
    row.plan,
    ...toAmounts(row),
    row.fee,
    row.provider,
    row.charge_id,
  ]),
});

const reasons = {
  refund: 'Refund',
  'charge-back': 'Chargeback',
  'refund-failed': 'Refund failed',
  'charge-back-won': 'Chargeback reversed',
};

const refundsSheet = ({ database, period, dayAt }: Context): Sheet => ({
  title: 'Refunds',
  columns: [
    text('note', 'Credit or debit note'),
    day('day', 'Date'),
    day('refunded', 'Refunded'),
    day('booked', 'Booked'),
    text('invoice', 'Invoice'),
    ...buyerColumns,
    text('reason', 'Reason'),
    ...amountColumns,
    ...providerColumns,
  ],
  rows: mapRows(readNotes(database.db, period), (row) => [
    formatNoteNumber(row),
    dayAt(row.issued_at),
    dayAt(row.at),
    row.booked_on,
    formatInvoiceNumber(row.invoice_number),
    ...toBuyerCells(row),
    reasons[row.reason],
    ...toAmounts(row),
    row.provider,
    row.charge_id,
  ]),
});

const kinds = { payment: 'Payment not accepted', 'card-check': 'Card check', fee: 'Late fee' };

const notInvoicedSheet = ({ database, period, dayAt }: Context): Sheet => ({
  title: 'Not invoiced',
  columns: [
    day('day', 'Date'),
    day('booked', 'Booked'),
    text('kind', 'Type'),
    text('currency', 'Currency'),
    cents('amount', 'Received (returned below zero)'),
    cents('fee', 'Fee'),
    text('reason', 'Reason'),
    ...providerColumns,
  ],
  rows: mapRows(readRefused(database.db, period), (row) => [
    dayAt(row.at),
    row.booked_on,
    kinds[row.kind],
    row.currency,
    row.amount,
    row.fee,
    row.reason,
    row.provider,
    row.charge_id,
  ]),
});

/** Read before the first byte is sent, so that a silent provider is an error and not half a file. */
async function readPayoutsSheet(context: Context): Promise<Sheet> {
  const payouts = await readMatchedPayouts(context, context.period);
  return {
    title: 'Payouts',
    columns: [
      day('day', 'Date'),
      text('currency', 'Currency'),
      cents('amount', 'Paid out'),
      cents('fees', 'Fees'),
      cents('difference', 'Not explained by its payments'),
      ...providerColumns,
    ],
    rows: payouts.map(({ id, at, amount, fees, currency, difference }) => ({
      cells: [context.dayAt(at), currency, amount, fees, difference, context.payments.name, id],
    })),
  };
}

const paymentKinds: Record<PayoutPayment['kind'], string> = {
  sale: 'Sale',
  refund: 'Refund',
  'not-invoiced': 'Payment not accepted',
  'card-check': 'Card check',
};

async function readPayoutPaymentsSheet(context: Context): Promise<Sheet> {
  const payouts = await readMatchedPayouts(context, context.period);
  return {
    title: 'Payments of payouts (derived)',
    columns: [
      text('payout', 'Payout'),
      day('paid-out', 'Paid out on'),
      day('day', 'Date'),
      text('kind', 'Type'),
      text('number', 'Document'),
      cents('amount', 'Amount'),
      cents('fee', 'Fee'),
    ],
    rows: payouts.flatMap(({ id, at: paidOutAt, payments }) =>
      payments.map(({ kind, number, at, amount, fee }) => ({
        cells: [
          id,
          context.dayAt(paidOutAt),
          context.dayAt(at),
          paymentKinds[kind],
          number,
          amount,
          fee,
        ],
      })),
    ),
  };
}

async function readVatSheet(context: Context): Promise<Sheet> {
  const { vat } = await readTotals(context, context.period);
  return {
    title: 'VAT',
    columns: [
      percent('rate', 'VAT rate (%)'),
      text('currency', 'Currency'),
      cents('sales', 'Sales incl. VAT'),
      cents('output', 'VAT on sales'),
      cents('refunds', 'Refunds incl. VAT'),
      cents('credited', 'VAT on refunds'),
      cents('due', 'VAT due'),
    ],
    rows: vat.map(({ percent: rate, sales, refunds, due }) => ({
      cells: [rate, CURRENCY, sales.amount, sales.vat, refunds.amount, refunds.vat, due],
    })),
  };
}

const sheets: Record<BookSheet, (context: Context) => Sheet | Promise<Sheet>> = {
  sales: salesSheet,
  refunds: refundsSheet,
  'not-invoiced': notInvoicedSheet,
  payouts: readPayoutsSheet,
  'payout-payments': readPayoutPaymentsSheet,
  vat: readVatSheet,
  xero: (context) => ({
    title: 'Xero',
    ...buildXeroSheet({ ...context, db: context.database.db }),
  }),
  sage: (context) => ({
    title: 'Sage',
    ...buildSageSheet({ ...context, db: context.database.db }),
  }),
};

export async function openSheet(deps: Deps, period: DayRange, name: BookSheet): Promise<Sheet> {
  const { timeZone } = deps.config;
  return sheets[name]({
    ...deps,
    period,
    settings: await readSettings(deps.database.db, deps.clock.now()),
    dayAt: (at) => dayOf(at, timeZone),
  });
}
