import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import type { CreditNote } from '#contract/paying/invoices.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { formatDate, formatMoney } from '#web/lib/format/format.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { Printer } from '#web/ui/icons.ts';
import { InvoiceSheetSkeleton } from './invoice-sheet-skeleton.tsx';
import { noteTitles } from './document-texts.ts';

type DocumentViewProps = {
  back: { href: string; label: string };
  /** What isn't printed: what happened since. */
  related?: ReactNode;
  /** The sheet, once it has loaded. */
  children: ReactNode;
};

type DocumentPageProps<Data> = Pick<ComponentProps<typeof Loaded<Data>>, 'query'> & {
  name: 'Invoice' | 'Credit note';
  /** Where the page leads back to, before the document has loaded. */
  back: DocumentViewProps['back'];
  renderView: (data: Data) => Omit<DocumentViewProps, 'back'> & Partial<DocumentViewProps>;
};

/** A member's own invoice or credit note. */
export function DocumentPage<Data>({ name, query, back, renderView }: DocumentPageProps<Data>) {
  const frame = (view: DocumentViewProps) => (
    <div className="px-gutter pt-5 md:pt-9 print:p-0">
      <DocumentView {...view} />
    </div>
  );
  return (
    <Loaded
      query={query}
      pageTitle={name}
      failed={`Couldn’t load this ${name.toLowerCase()}`}
      text="Check your connection and try again."
      missing={{
        title: `${name} not found`,
        text: 'It may belong to another account, or it never existed.',
        link: back,
      }}
      skeleton={frame({ back, children: null })}
    >
      {(data) => frame({ back, ...renderView(data) })}
    </Loaded>
  );
}

/** An invoice or a credit note, ready to print or save as a PDF. */
export function DocumentView({ back, related, children }: DocumentViewProps) {
  return (
    <div>
      <div className="mb-5 flex flex-wrap gap-2.5 print:hidden">
        <LinkButton href={back.href} variant="line">
          {back.label}
        </LinkButton>
        {children && (
          <Button onClick={() => window.print()}>
            <Printer />
            Print or save as PDF
          </Button>
        )}
      </div>
      {related && <div className="mb-5 max-w-[760px] print:hidden">{related}</div>}
      {children || <InvoiceSheetSkeleton />}
    </div>
  );
}

/** `Refunded by CN-000003`: the credit notes of an invoice, oldest first. */
export function CreditNoteLinks({
  notes,
  basePath,
}: {
  notes: readonly CreditNote[];
  basePath: string;
}) {
  if (notes.length === 0) return null;
  return (
    <ul aria-label="Credit notes" className="grid gap-1 text-13 text-text-2">
      {notes.map(({ id, kind, number, at, amount }) => (
        <li key={id}>
          <Link
            href={`${basePath}/credit-notes/${id}`}
            className="inline-flex min-h-9 flex-wrap items-center gap-x-2 hover:text-text"
          >
            <span className="underline">
              {noteTitles[kind]} {number}
            </span>
            <span className="tabular">
              {formatDate(at)}, {kind === 'credit' ? '−' : '+'}
              {formatMoney(amount, CURRENCY)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
