import type { ReactNode } from 'react';
import type { BookSheet, BookTotals } from '#contract/admin/books.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { formatCount, formatMoney, formatNumber } from '#web/lib/format/format.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Download } from '#web/ui/icons.ts';
import { SectionHead } from '#web/ui/page-head.tsx';
import { sheetPath } from './api.ts';

export const money = (cents: number): string =>
  `${cents < 0 ? '−' : ''}${formatMoney(Math.abs(cents), CURRENCY, 'auto')}`;

export const tableClass =
  'w-full text-left text-13 tabular-nums [&_td]:py-2.5 [&_td:not(:first-child)]:text-right [&_th]:py-2.5 [&_th]:font-medium [&_th:not(:first-child)]:text-right [&_:is(td,th):not(:last-child)]:pr-[clamp(0.5rem,1.6cqi,1rem)]';

export function Panel({
  id,
  title,
  sheets,
  period,
  children,
}: {
  id: string;
  title: string;
  sheets: readonly BookSheet[];
  period: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <SectionHead
        id={id}
        title={title}
        end={
          <span className="flex flex-wrap gap-2 pb-1.5">
            {sheets.map((sheet) => (
              <CsvLink key={sheet} period={period} sheet={sheet} />
            ))}
          </span>
        }
      />
      <div className="overflow-x-auto rounded-panel bg-surface px-[clamp(0.75rem,4cqi,1.25rem)] py-2">
        {children}
      </div>
    </section>
  );
}

const sheetNames: Record<BookSheet, string> = {
  sales: 'Sales',
  refunds: 'Refunds',
  'not-invoiced': 'Not invoiced',
  payouts: 'Payouts',
  'payout-payments': 'Their payments',
  vat: 'VAT',
  xero: 'Xero',
  sage: 'Sage',
};

function CsvLink({ period, sheet }: { period: string; sheet: BookSheet }) {
  return (
    <a
      href={sheetPath(period, sheet)}
      download
      aria-label={`${sheetNames[sheet]} as CSV`}
      className={buttonClass({ variant: 'line', size: 'sm' })}
    >
      <Download />
      {sheetNames[sheet]}
    </a>
  );
}

type PanelProps = { totals: BookTotals; period: string };

type Line = { label: string; detail?: string; amount: number; vat: number; excluding: number };

const describeNotes = ({ creditNotes, debitNotes }: BookTotals['refunds']): string =>
  [
    formatCount(creditNotes, 'credit note'),
    ...(debitNotes > 0 ? [`minus ${formatCount(debitNotes, 'debit note')}`] : []),
  ].join(', ');

/** Sales, refunds and what is left of them. */
export function MoneyPanel({ totals, period }: PanelProps) {
  const { sales, refunds, net, late } = totals;
  const lines: Line[] = [
    { label: 'Sales', detail: formatCount(sales.invoices, 'invoice'), ...sales },
    { label: 'Refunds', detail: describeNotes(refunds), ...refunds },
  ];
  return (
    <Panel
      id="money"
      title="Sales and refunds"
      sheets={['sales', 'refunds', 'xero', 'sage']}
      period={period}
    >
      <table className={tableClass}>
        <thead className="text-text-3">
          <tr>
            <th scope="col">In rand</th>
            <th scope="col">Incl. VAT</th>
            <th scope="col">VAT</th>
            <th scope="col">Excl. VAT</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ label, detail, amount, vat, excluding }) => (
            <tr key={label} className="border-t border-line">
              <th scope="row">
                {label}
                <span className="block font-normal text-text-2">{detail}</span>
              </th>
              <td>{money(amount)}</td>
              <td>{money(vat)}</td>
              <td>{money(excluding)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t-2 border-line-strong font-semibold">
            <th scope="row">Sales minus refunds</th>
            <td>{money(net.amount)}</td>
            <td>{money(net.vat)}</td>
            <td>{money(net.excluding)}</td>
          </tr>
        </tfoot>
      </table>
      {late > 0 && (
        <p className="border-t border-line py-2.5 text-13 text-text-2">
          {formatCount(late, 'document')} of an earlier month that was closed already. The tables
          have both dates.
        </p>
      )}
    </Panel>
  );
}

export function VatPanel({ totals: { vat }, period }: PanelProps) {
  return (
    <Panel id="vat" title="VAT" sheets={['vat']} period={period}>
      {vat.length === 0 ? (
        <p className="py-2.5 text-text-2">No sales or refunds in this period.</p>
      ) : (
        <table className={tableClass}>
          <thead className="text-text-3">
            <tr>
              <th scope="col">Rate</th>
              <th scope="col">On sales</th>
              <th scope="col">On refunds</th>
              <th scope="col">Due</th>
            </tr>
          </thead>
          <tbody>
            {vat.map(({ percent, sales, refunds, due }) => (
              <tr key={percent} className="border-t border-line">
                <th scope="row">{percent === null ? 'No VAT' : `${formatNumber(percent, 2)}%`}</th>
                <td>{money(sales.vat)}</td>
                <td>{money(refunds.vat)}</td>
                <td className="font-semibold">{money(due)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

/** What the provider kept, and payments that have no invoice. */
export function OtherMoneyPanel({ totals, period }: PanelProps) {
  const { sales, notInvoiced, cardChecks } = totals;
  const isReported = sales.withoutFee < sales.invoices;
  const rows = [
    {
      label: 'Fees on invoiced payments',
      hint:
        sales.withoutFee > 0
          ? `Not reported for ${formatCount(sales.withoutFee, 'payment')}.`
          : null,
      value:
        isReported || sales.fees > 0 || sales.invoices === 0 ? money(sales.fees) : 'Not reported',
    },
    {
      label: 'Received without an invoice',
      hint: 'Payments that we didn’t accept, such as a wrong amount.',
      value: money(notInvoiced.received),
    },
    { label: 'Of that, paid back', hint: null, value: money(notInvoiced.returned) },
    { label: 'Fees on it', hint: null, value: money(notInvoiced.fees) },
    {
      label: 'Card checks',
      hint: 'Small payments that only checked a card.',
      value: money(cardChecks.received),
    },
    { label: 'Of them, paid back', hint: null, value: money(cardChecks.returned) },
    { label: 'Fees on card checks', hint: null, value: money(cardChecks.fees) },
  ];
  return (
    <Panel id="other" title="Fees and other money" sheets={['not-invoiced']} period={period}>
      <dl>
        {rows.map(({ label, hint, value }, index) => (
          <div
            key={label}
            className={`flex flex-wrap justify-between gap-x-6 py-2.5 text-13 ${index > 0 ? 'border-t border-line' : ''}`}
          >
            <dt className="min-w-0 flex-1 font-medium">
              {label}
              {hint && <span className="block font-normal text-text-2">{hint}</span>}
            </dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
