import type { ReactNode } from 'react';
import type { CreditNotePage, InvoicePage, Seller } from '#contract/paying/invoices.ts';
import { formatDate, formatMoney, formatNumber } from '#web/lib/format/format.ts';
import { boot } from '#web/lib/store/boot.ts';
import { Logo } from '#web/ui/art/logo.tsx';
import { describeCard, noteReasons, noteTitles } from './document-texts.ts';
import { sheetClass } from './invoice-sheet-skeleton.tsx';

type Document = Pick<InvoicePage, 'number' | 'issuedAt' | 'seller' | 'buyer' | 'tax' | 'currency'>;

/** Level 2 on a page that has a heading of its own. */
type Level = { headingLevel?: 1 | 2 };

type SheetProps = Level & {
  document: Document;
  title: string;
  /** Below the number and the date. */
  reference?: string;
  description: ReactNode;
  amount: number;
  totalLabel: string;
  children?: ReactNode;
};

/** A sheet of paper: A4 when printed, with the dates of the site and every cent. */
function Sheet({
  headingLevel = 1,
  document,
  title,
  reference,
  description,
  amount,
  totalLabel,
  children,
}: SheetProps) {
  const { number, issuedAt, seller, buyer, tax, currency } = document;
  const money = (cents: number) => formatMoney(cents, currency, 'auto');
  const Heading = headingLevel === 1 ? 'h1' : 'h2';
  return (
    <article className={sheetClass}>
      {boot.look.logo && <Logo className="mb-8" />}
      <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <Heading className="type-title text-[min(3.5rem,13vw)] @2xl/content:text-[4.5rem] print:text-[32pt]">
          {title}
        </Heading>
        <p className="text-text-2 @2xl/content:text-right print:text-right">
          <b className="block font-semibold text-text tabular">{number}</b>
          {formatDate(issuedAt)}
          {reference && <span className="block">{reference}</span>}
        </p>
      </header>
      <div className="mt-8 grid gap-6 @xl/content:grid-cols-2 print:grid-cols-2">
        <Party title="From" lines={describeSeller(seller, tax !== null)} />
        <Party title="To" lines={buyer ? describeBuyer(buyer) : ['Deleted account']} />
      </div>
      <table className="mt-9 w-full border-t border-line text-left">
        <thead className="type-label">
          <tr>
            <th scope="col" className="py-2.5 pr-4 font-semibold">
              Description
            </th>
            <th scope="col" className="py-2.5 text-right font-semibold whitespace-nowrap">
              {tax ? 'Amount incl. VAT' : 'Amount'}
            </th>
          </tr>
        </thead>
        <tbody className="align-top">
          <Line amount={money(amount)}>{description}</Line>
          {tax && <Line amount={money(tax.excluding)}>Amount excluding VAT</Line>}
          {tax && <Line amount={money(tax.vat)}>VAT at {formatNumber(tax.percent, 2)}%</Line>}
        </tbody>
        <tfoot>
          <tr className="border-t-2 border-line-strong">
            <th scope="row" className="py-4 pr-4 font-semibold">
              {totalLabel}
              {children && <span className="block font-normal text-text-2">{children}</span>}
            </th>
            <td className="py-4 text-right type-figure text-28">{money(amount)}</td>
          </tr>
        </tfoot>
      </table>
      <p className="mt-2 type-meta">All amounts in South African rand (ZAR).</p>
    </article>
  );
}

const describeBuyer = ({ name, address, vatNumber, email }: NonNullable<Document['buyer']>) =>
  [name, ...address.split('\n'), vatNumber && `VAT number ${vatNumber}`, email].filter(Boolean);

function describeSeller(seller: Seller, hasVat: boolean): string[] {
  const { name, status, address, registration, vatNumber, phone, email } = seller;
  return [
    name,
    status,
    ...address.split('\n'),
    registration && `Registration number ${registration}`,
    hasVat ? `VAT number ${vatNumber}` : '',
    phone,
    email,
  ].filter(Boolean);
}

export function InvoiceSheet({ invoice, ...level }: { invoice: InvoicePage } & Level) {
  const { at, from, to, amount, card, description, tax, lacksBuyer } = invoice;
  return (
    <Sheet
      {...level}
      document={invoice}
      title={tax ? 'Tax Invoice' : 'Invoice'}
      description={
        <>
          <b className="block font-semibold">{description}</b>
          <span className="text-text-2">
            {formatDate(from)} to {formatDate(to)}
          </span>
        </>
      }
      amount={amount}
      totalLabel={tax ? 'Paid, including VAT' : 'Paid'}
    >
      On {formatDate(at)}
      {card && `, ${describeCard(card)}`}
      {lacksBuyer && (
        <span className="mt-2 block">
          The buyer’s name and address are missing. A tax invoice above R5,000 needs them.
        </span>
      )}
    </Sheet>
  );
}

export function CreditNoteSheet({ note, ...level }: { note: CreditNotePage } & Level) {
  const { kind, at, amount, reason, invoice, description, tax } = note;
  const total = kind === 'credit' ? 'Credited' : 'Charged again';
  return (
    <Sheet
      {...level}
      document={note}
      title={noteTitles[kind]}
      reference={`For invoice ${invoice.number} of ${formatDate(invoice.issuedAt)}`}
      description={
        <>
          <b className="block font-semibold">{description}</b>
          <span className="text-text-2">{noteReasons[reason]}</span>
        </>
      }
      amount={amount}
      totalLabel={tax ? `${total}, including VAT` : total}
    >
      On {formatDate(at)}
    </Sheet>
  );
}

function Party({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <section>
      <h2 className="mb-1 type-label">{title}</h2>
      <p>
        {lines.map((line, index) => (
          <span key={index} className="block wrap-anywhere">
            {line}
          </span>
        ))}
      </p>
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
