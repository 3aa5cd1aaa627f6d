import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Invoice } from '#contract/paying/invoices.ts';
import { formatDate, formatMoney } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ChevronRight } from '#web/ui/icons.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { invoicesQuery } from '#web/features/billing/api.ts';
import { CreditNoteLinks } from '#web/features/billing/documents/document-page.tsx';
import { invoiceStates } from '#web/features/billing/documents/document-texts.ts';
import { namePurchase } from '#web/features/billing/plans/plan-texts.ts';

export function InvoiceList() {
  const list = useInfiniteQuery(invoicesQuery);
  return (
    <Loaded
      query={list}
      failed="Couldn’t load your invoices"
      className="mb-4"
      skeleton={<InvoicesSkeleton />}
    >
      {({ pages }) => <Invoices list={list} invoices={pages.flatMap(({ items }) => items)} />}
    </Loaded>
  );
}

type InvoicesProps = { list: UseInfiniteQueryResult; invoices: readonly Invoice[] };

function Invoices({ list, invoices }: InvoicesProps) {
  if (invoices.length === 0)
    return (
      <p className="border-t border-line py-4 text-text-2">
        Invoices for your payments will appear here.
      </p>
    );
  return (
    <>
      <ul aria-label="Invoices">
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="border-t border-line py-3">
          <Button
            variant="line"
            aria-disabled={list.isFetchingNextPage}
            onClick={() => void (list.isFetchingNextPage || list.fetchNextPage())}
          >
            {list.isFetchNextPageError ? 'Try again' : 'Earlier invoices'}
          </Button>
        </div>
      )}
    </>
  );
}

function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const { id, number, at, plan, months, amount, currency, status, creditNotes } = invoice;
  return (
    <li className="border-t border-line">
      <Link
        href={`/subscription/invoices/${id}`}
        className="flex min-h-[72px] items-center gap-4 hover:text-text md:min-h-16"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-medium">{formatDate(at)}</span>
          <span className="block truncate text-13 text-text-2">
            {namePurchase({ plan, months })}, invoice {number}
          </span>
        </span>
        {status !== 'paid' && <Tag>{invoiceStates[status]}</Tag>}
        <span className="font-semibold tabular">{formatMoney(amount, currency)}</span>
        <ChevronRight className="size-4 shrink-0 text-text-3" />
      </Link>
      {creditNotes.length > 0 && (
        <div className="pb-3">
          <CreditNoteLinks notes={creditNotes} basePath="/subscription" />
        </div>
      )}
    </li>
  );
}

function InvoicesSkeleton() {
  return (
    <div role="status" aria-label="Loading your invoices">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex min-h-16 items-center justify-between border-t border-line">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-4 w-12" />
        </div>
      ))}
    </div>
  );
}
