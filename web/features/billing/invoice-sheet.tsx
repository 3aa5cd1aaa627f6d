import type { ReactNode } from 'react';
import type { z } from 'zod';
import type { InvoicePage } from '#contract/billing.ts';
import { formatDate, formatMoney } from '#web/lib/format.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { describeCard, invoiceStates, planNames } from './subscription-texts.ts';

type InvoiceWithNames = z.infer<typeof InvoicePage>;

const sheetClass =
  'max-w-[760px] bg-surface px-5 py-7 md:px-12 md:py-12 print:max-w-none print:p-0';

export function InvoiceSheet({ invoice }: { invoice: InvoiceWithNames }) {
  const { number, at, plan, from, to, amount, refunded, currency, card, status } = invoice;
  return (
    <article className={sheetClass}>
      <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <h1 className="type-title text-[min(3.5rem,15vw)] md:text-[4.5rem]">Invoice</h1>
        <p className="text-text-2 md:text-right">
          <b className="block font-semibold text-text tabular">{number}</b>
          {formatDate(at)}
        </p>
      </header>
      <div className="mt-8 grid gap-6 sm:grid-cols-2">
        <Party title="From">
          {invoice.seller.split('\n').map((line, index) => (
            <span key={index} className="block">
              {line}
            </span>
          ))}
        </Party>
        <Party title="To">
          <span className="block">{invoice.buyer.username}</span>
          <span className="block break-words">{invoice.buyer.email}</span>
        </Party>
      </div>
      <table className="mt-9 w-full border-t border-line text-left">
        <thead className="type-label">
          <tr>
            <th scope="col" className="py-2.5 pr-4 font-semibold">
              Description
            </th>
            <th scope="col" className="py-2.5 text-right font-semibold">
              Amount
            </th>
          </tr>
        </thead>
        <tbody className="align-top">
          <Line amount={formatMoney(amount, currency)}>
            <b className="block font-semibold">Premium, {planNames[plan].toLowerCase()}</b>
            <span className="text-text-2">
              {formatDate(from)} to {formatDate(to)}
            </span>
          </Line>
          {refunded > 0 && <Line amount={`−${formatMoney(refunded, currency)}`}>Refunded</Line>}
        </tbody>
        <tfoot>
          <tr className="border-t-2 border-line-strong">
            <th scope="row" className="py-4 pr-4 font-semibold">
              {invoiceStates[status]}
              {card && <span className="block font-normal text-text-2">{describeCard(card)}</span>}
            </th>
            <td className="py-4 text-right type-figure text-28">
              {formatMoney(amount - refunded, currency)}
            </td>
          </tr>
        </tfoot>
      </table>
      <p className="mt-2 type-meta">All amounts in South African rand (ZAR).</p>
    </article>
  );
}

function Party({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-1 type-label">{title}</h2>
      <p>{children}</p>
    </section>
  );
}

function Line({ amount, children }: { amount: string; children: ReactNode }) {
  return (
    <tr className="border-t border-line">
      <td className="py-3.5 pr-4">{children}</td>
      <td className="py-3.5 text-right tabular">{amount}</td>
    </tr>
  );
}

export function InvoiceSheetSkeleton() {
  return (
    <div role="status" aria-label="Loading invoice" className={sheetClass}>
      <Skeleton className="h-14 w-48" />
      <Skeleton className="mt-9 h-16" />
      <Skeleton className="mt-9 h-32" />
    </div>
  );
}
