import type { Column } from '#contract/admin/reports.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import type { Settings } from '../../db/settings.ts';
import type { CsvTable } from '../../http/send/csv.ts';
import { formatInvoiceNumber, formatNoteNumber } from '../billing/ledger/service.ts';
import { readInvoices, readNotes, toBuyer } from './documents.ts';

type Buyer = ReturnType<typeof toBuyer>;

/** What accounting programs want to know about an invoice or a note. */
type Entry = {
  number: string;
  issuedAt: number;
  reference: string;
  description: string;
  buyer: Buyer;
  currency: string;
  /** Cents; below zero on a credit note. */
  amount: number;
  vat: number;
  hasVat: boolean;
};

async function* readEntries(db: Db, period: DayRange): AsyncGenerator<Entry> {
  for await (const row of readInvoices(db, period))
    yield {
      number: formatInvoiceNumber(row.number),
      issuedAt: row.issued_at,
      reference: row.charge_id,
      description: row.description ?? `Premium, ${row.plan}`,
      buyer: toBuyer(row),
      currency: row.currency,
      amount: row.amount,
      vat: row.vat,
      hasVat: row.vat_rate !== null,
    };
  for await (const row of readNotes(db, period))
    yield {
      number: formatNoteNumber(row),
      issuedAt: row.issued_at,
      reference: formatInvoiceNumber(row.invoice_number),
      description: row.description ?? `Premium, ${row.plan}`,
      buyer: toBuyer(row),
      currency: row.currency,
      // On a debit note the amount is below zero, and charges again.
      amount: 0 - row.amount,
      vat: 0 - row.vat,
      hasVat: row.vat_rate !== null,
    };
}

type Cells = (string | number | null)[];

async function* mapEntries(entries: AsyncIterable<Entry>, toCells: (entry: Entry) => Cells) {
  for await (const entry of entries) yield { cells: toCells(entry) };
}

type Program = {
  db: Db;
  period: DayRange;
  settings: Pick<Settings, 'salesAccount' | 'vatRateName'>;
  dayAt: (at: number) => string;
};

const texts = (labels: readonly string[]): Column[] =>
  labels.map((label) => ({ key: label, label, kind: 'text' }));
const cents = (label: string): Column => ({ key: label, label, kind: 'cents' });

/** Columns that we leave empty. */
const empty = (count: number): null[] => Array.from({ length: count }, () => null);

/** `31/12/2026`, from `2026-12-31`. */
const writeDay = (day: string, separator: string): string =>
  day.split('-').toReversed().join(separator);

/** The columns of Xero's template for sales invoices, in its order; those with a star are required. */
const xeroColumns: Column[] = [
  ...texts(['*ContactName', 'EmailAddress']),
  ...texts(['POAddressLine1', 'POAddressLine2', 'POAddressLine3', 'POAddressLine4']),
  ...texts(['POCity', 'PORegion', 'POPostalCode', 'POCountry']),
  ...texts(['*InvoiceNumber', 'Reference', '*InvoiceDate', '*DueDate']),
  ...texts(['InventoryItemCode', '*Description', '*Quantity']),
  cents('*UnitAmount'),
  ...texts(['Discount', '*AccountCode', '*TaxType']),
  ...texts(['TrackingName1', 'TrackingOption1', 'TrackingName2', 'TrackingOption2']),
  ...texts(['Currency', 'BrandingTheme']),
];

/** The first lines, with the rest in the last one. */
const fitAddress = (lines: readonly string[]): string[] =>
  [0, 1, 2, 3].map((index) => (index < 3 ? lines[index] : lines.slice(3).join(', ')) ?? '');

/** Amounts include VAT: Xero asks about that when it imports. Credit notes are below zero. */
export const buildXeroSheet = ({ db, period, settings, dayAt }: Program): CsvTable => ({
  columns: xeroColumns,
  isForProgram: true,
  rows: mapEntries(readEntries(db, period), (entry) => {
    const day = writeDay(dayAt(entry.issuedAt), '/');
    const tax = entry.hasVat ? settings.vatRateName || 'Standard Rate Sales' : 'No VAT';
    return [
      entry.buyer.name,
      entry.buyer.email,
      ...fitAddress(entry.buyer.address),
      ...empty(4),
      entry.number,
      entry.reference,
      day,
      day,
      ...empty(1),
      entry.description,
      '1',
      entry.amount,
      ...empty(1),
      settings.salesAccount || '200',
      tax,
      ...empty(4),
      entry.currency,
      ...empty(1),
    ];
  }),
});

/** Sage takes entries of customers that it knows: one of them stands for all members. */
const SAGE_CUSTOMER = 'WEBSALES';
const SAGE_DETAILS = 25;

/** The columns of Sage Accounting's template for sales quick entries, in its order. */
const sageColumns: Column[] = [
  ...texts(['Type', 'Customer Reference', 'Date', 'Customer Name', 'Reference']),
  ...texts(['Ledger Account', 'Details']),
  cents('Net'),
  ...texts(['VAT Rate']),
  cents('VAT'),
  cents('Total'),
  ...texts(['Analysis Type 1', 'Analysis Type 2', 'Analysis Type 3']),
];

export const buildSageSheet = ({ db, period, settings, dayAt }: Program): CsvTable => ({
  columns: sageColumns,
  isForProgram: true,
  rows: mapEntries(readEntries(db, period), (entry) => {
    const [amount, vat] = [Math.abs(entry.amount), Math.abs(entry.vat)];
    return [
      entry.amount < 0 ? 'Cr Note' : 'Invoice',
      SAGE_CUSTOMER,
      writeDay(dayAt(entry.issuedAt), '-'),
      'Web sales',
      entry.number,
      settings.salesAccount || '4000',
      entry.description.slice(0, SAGE_DETAILS),
      amount - vat,
      entry.hasVat ? settings.vatRateName || 'Standard' : 'No VAT',
      vat,
      amount,
      ...empty(3),
    ];
  }),
});
