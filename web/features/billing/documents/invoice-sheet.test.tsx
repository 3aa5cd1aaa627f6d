import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import type { InvoicePage } from '#contract/paying/invoices.ts';
import { boot } from '#web/lib/store/boot.ts';
import { CreditNoteSheet, InvoiceSheet } from './invoice-sheet.tsx';

const parties: Pick<InvoicePage, 'seller' | 'buyer' | 'lacksBuyer' | 'description'> = {
  seller: {
    name: 'Weekender Mixes (Pty) Ltd',
    status: '',
    address: '1 Long Street\nCape Town',
    registration: '2026/123456/07',
    vatNumber: '4123456789',
    phone: '',
    email: '',
  },
  buyer: { name: 'Lerato', email: 'lerato@example.com', address: '', vatNumber: '' },
  lacksBuyer: false,
  description: 'Premium, monthly',
};

const invoice: InvoicePage = {
  id: 'i',
  number: '000007',
  at: Date.UTC(2026, 9, 31, 23),
  issuedAt: Date.UTC(2026, 10, 6, 23),
  plan: 'monthly',
  months: null,
  from: Date.UTC(2026, 10, 6, 23),
  to: Date.UTC(2026, 11, 6, 23),
  amount: 79_00,
  refunded: 79_00,
  currency: 'ZAR',
  card: null,
  status: 'refunded',
  creditNotes: [],
  tax: null,
  ...parties,
};
const tax = { percent: 15, vat: 10_30, excluding: 68_70 };

const render = (sheet: React.JSX.Element): string =>
  renderToStaticMarkup(sheet)
    .replaceAll(/<[^>]+>/g, '|')
    .replaceAll(/\|+/g, '|');

it('an invoice has the dates of the site, whoever reads it, and says nothing about a refund', () => {
  const text = render(<InvoiceSheet invoice={invoice} />);
  // Unit tests have no page, so the site's time zone is UTC.
  expect(text).toContain('|Invoice|000007|6 November 2026|');
  expect(text).toContain('6 November 2026 to 6 December 2026');
  expect(text).toContain('|Paid|On 31 October 2026|R79.00|');
  expect(text).not.toMatch(/VAT|refund/i);
});

it('a tax invoice has the words, the seller’s VAT number, the rate and both amounts', () => {
  const text = render(<InvoiceSheet invoice={{ ...invoice, tax }} />);
  expect(text).toContain('|Tax Invoice|000007|');
  expect(text).toContain(
    '|Weekender Mixes (Pty) Ltd|1 Long Street|Cape Town|Registration number 2026/123456/07|VAT number 4123456789|',
  );
  expect(text).toContain('|Lerato|lerato@example.com|');
  expect(text).toContain(
    '|Amount excluding VAT|R68.70|VAT at 15%|R10.30|Paid, including VAT|On 31 October 2026|R79.00|',
  );
});

it('a credit note names its invoice, its reason and its part of the VAT', () => {
  const note = {
    id: 'n',
    kind: 'credit' as const,
    number: 'CN-000003',
    at: Date.UTC(2026, 10, 8),
    issuedAt: Date.UTC(2026, 10, 9),
    amount: 79_00,
    reason: 'refund' as const,
    currency: 'ZAR' as const,
    invoice: { id: 'i', number: '000007', issuedAt: Date.UTC(2026, 10, 6) },
    tax,
    ...parties,
  };
  const text = render(<CreditNoteSheet note={note} />);
  expect(text).toContain(
    '|Credit note|CN-000003|9 November 2026|For invoice 000007 of 6 November 2026|',
  );
  expect(text).toContain('|Refund of the payment.|R79.00|');
  expect(text).toContain('|VAT at 15%|R10.30|Credited, including VAT|On 8 November 2026|R79.00|');
  const debit = render(
    <CreditNoteSheet
      note={{ ...note, kind: 'debit', number: 'DN-000001', reason: 'refund-failed', buyer: null }}
    />,
  );
  expect(debit).toContain('|Debit note|DN-000001|');
  expect(debit).toContain('|Deleted account|');
});

it('a buyer’s own details are on it, and a large tax invoice says when they are missing', () => {
  const buyer = {
    name: 'Sounds CC',
    email: 'lerato@example.com',
    address: '2 Loop Street\nDurban',
    vatNumber: '4987654321',
  };
  const complete = render(<InvoiceSheet invoice={{ ...invoice, tax, buyer }} />);
  expect(complete).toContain(
    '|Sounds CC|2 Loop Street|Durban|VAT number 4987654321|lerato@example.com|',
  );
  expect(complete).not.toContain('missing');
  const lacking = render(<InvoiceSheet invoice={{ ...invoice, tax, lacksBuyer: true }} />);
  expect(lacking).toContain('The buyer’s name and address are missing.');
});

afterEach(() => void (boot.look.logo = null));

it('has the site’s own logo, or none: a number and a title are enough', () => {
  const hasLogo = () =>
    renderToStaticMarkup(<InvoiceSheet invoice={invoice} />).includes('site-logo');
  expect(hasLogo()).toBe(false);
  boot.look.logo = { width: 300, height: 100 };
  expect(hasLogo()).toBe(true);
});
