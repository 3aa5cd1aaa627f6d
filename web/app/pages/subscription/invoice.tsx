import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { usePageTitle } from '#web/app/use-page-title.ts';
import { invoiceQuery } from '#web/features/billing/api.ts';
import { InvoiceSheet, InvoiceSheetSkeleton } from '#web/features/billing/invoice-sheet.tsx';
import { ApiError } from '#web/lib/api.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { buildLoadError, EmptyPage } from '#web/ui/empty-state.tsx';
import { Printer } from '#web/ui/icons.ts';

export function Page() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(invoiceQuery(id));
  usePageTitle(data && `Invoice ${data.number}`);
  if (!data && error) return <InvoiceProblem error={error} onRetry={() => void refetch()} />;
  return (
    <div className="px-gutter pt-5 md:pt-9 print:p-0">
      <div className="mb-5 flex flex-wrap gap-2.5 print:hidden">
        <LinkButton href="/subscription" variant="line">
          Back to your subscription
        </LinkButton>
        {data && (
          <Button onClick={() => window.print()}>
            <Printer />
            Print
          </Button>
        )}
      </div>
      {data ? <InvoiceSheet invoice={data} /> : <InvoiceSheetSkeleton />}
    </div>
  );
}

function InvoiceProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof ApiError && error.status === 404))
    return (
      <EmptyPage
        pageTitle="Invoice"
        {...buildLoadError(
          'Couldn’t load this invoice',
          onRetry,
          'Check your connection and try again.',
        )}
      />
    );
  return (
    <EmptyPage
      pageTitle="Invoice"
      glyph="nothing"
      title="Invoice not found"
      text="It may belong to another account. Your invoices are on your subscription page."
      link={{ href: '/subscription', label: 'Your subscription' }}
    />
  );
}
