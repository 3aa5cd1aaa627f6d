import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BookSheet, BookTotals } from '#contract/admin/books.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { describeFailure } from '#web/lib/api.ts';
import { formatCount, formatMoney, formatNumber, formatShortDate } from '#web/lib/format.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Download } from '#web/ui/icons.ts';
import { RetryNotice } from '#web/ui/notice.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { payoutsQuery, sheetPath } from './api.ts';

const money = (cents: number): string =>
  `${cents < 0 ? '−' : ''}${formatMoney(Math.abs(cents), CURRENCY, 'auto')}`;

const tableClass =
  'w-full text-left text-13 tabular-nums [&_td]:py-2.5 [&_td:not(:first-child)]:text-right [&_th]:py-2.5 [&_th]:font-medium [&_th:not(:first-child)]:text-right [&_:is(td,th):not(:last-child)]:pr-[clamp(0.5rem,1.6cqi,1rem)]';

function Panel({
  id,
  title,
  sheets,
  month,
  children,
}: {
  id: string;
  title: string;
  sheets: readonly BookSheet[];
  month: string;
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
              <CsvLink key={sheet} month={month} sheet={sheet} />
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
  vat: 'VAT',
};

function CsvLink({ month, sheet }: { month: string; sheet: BookSheet }) {
  return (
    <a
      href={sheetPath(month, sheet)}
      download
      aria-label={`${sheetNames[sheet]} as CSV`}
      className={buttonClass({ variant: 'line', size: 'sm' })}
    >
      <Download />
      {sheetNames[sheet]}
    </a>
  );
}

type Line = { label: string; detail?: string; amount: number; vat: number; excluding: number };

const describeNotes = ({ creditNotes, debitNotes }: BookTotals['refunds']): string =>
  [
    formatCount(creditNotes, 'credit note'),
    ...(debitNotes > 0 ? [`minus ${formatCount(debitNotes, 'debit note')}`] : []),
  ].join(', ');

/** Sales, refunds and what is left of them. */
export function MoneyPanel({ totals }: { totals: BookTotals }) {
  const { month, sales, refunds, net } = totals;
  const lines: Line[] = [
    { label: 'Sales', detail: formatCount(sales.invoices, 'invoice'), ...sales },
    { label: 'Refunds', detail: describeNotes(refunds), ...refunds },
  ];
  return (
    <Panel id="money" title="Sales and refunds" sheets={['sales', 'refunds']} month={month}>
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
    </Panel>
  );
}

export function VatPanel({ totals: { month, vat } }: { totals: BookTotals }) {
  return (
    <Panel id="vat" title="VAT" sheets={['vat']} month={month}>
      {vat.length === 0 ? (
        <p className="py-2.5 text-text-2">No sales or refunds this month.</p>
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
export function OtherMoneyPanel({ totals }: { totals: BookTotals }) {
  const { month, sales, notInvoiced } = totals;
  const isReported = sales.withoutFee < sales.invoices;
  const rows = [
    {
      label: 'Fees on invoiced payments',
      hint:
        sales.withoutFee > 0
          ? `Not reported for ${formatCount(sales.withoutFee, 'payment')}.`
          : null,
      value: isReported || sales.invoices === 0 ? money(sales.fees) : 'Not reported',
    },
    {
      label: 'Received without an invoice',
      hint: 'Payments that we didn’t accept, such as a wrong amount.',
      value: money(notInvoiced.received),
    },
    { label: 'Of that, paid back', hint: null, value: money(notInvoiced.returned) },
    { label: 'Fees on it', hint: null, value: money(notInvoiced.fees) },
  ];
  return (
    <Panel id="other" title="Fees and other money" sheets={['not-invoiced']} month={month}>
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

export function PayoutsPanel({ month }: { month: string }) {
  const { data, error, refetch } = useQuery(payoutsQuery(month));
  return (
    <Panel id="payouts" title="Payouts" sheets={['payouts']} month={month}>
      {error && !data && (
        <RetryNotice
          title={describeFailure(error, 'Couldn’t load the payouts.')}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <PanelRowsSkeleton rows={2} />}
      {data?.payouts.length === 0 && (
        <p className="py-2.5 text-text-2">The payment provider reported no payouts this month.</p>
      )}
      {data && data.payouts.length > 0 && (
        <table className={tableClass}>
          <thead className="text-text-3">
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Fees</th>
              <th scope="col">Paid out</th>
            </tr>
          </thead>
          <tbody>
            {data.payouts.map(({ id, at, amount, fees, currency }) => (
              <tr key={id} className="border-t border-line">
                <th scope="row">
                  {formatShortDate(at)}
                  <span className="block font-normal wrap-anywhere text-text-2">{id}</span>
                </th>
                <td>{fees === null ? 'Not reported' : formatMoney(fees, currency, 'auto')}</td>
                <td>{formatMoney(amount, currency, 'auto')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
