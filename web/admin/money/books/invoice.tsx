import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { CreditNoteLinks } from '#web/features/billing/documents/document-page.tsx';
import { InvoiceSheet } from '#web/features/billing/documents/invoice-sheet.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { GiftRefund } from '#web/admin/money/gift-refund.tsx';
import { AdminDocument } from './admin-document.tsx';

export function Page() {
  const { id = '' } = useParams();
  const query = useQuery(apiQuery('GET /api/admin/invoices/:id', { params: { id } }));
  return (
    <AdminDocument
      name="Invoice"
      title={query.data && `Invoice ${query.data.number}`}
      query={query}
      renderView={(invoice) => ({
        ...(invoice.userId !== null && {
          back: { href: `/admin/subscribers/${invoice.userId}`, label: 'Back to the member' },
        }),
        related: (
          <>
            <CreditNoteLinks notes={invoice.creditNotes} basePath="/admin" />
            {invoice.userId === null && (
              <GiftRefund invoice={invoice} onDone={() => query.refetch()} />
            )}
          </>
        ),
        children: <InvoiceSheet invoice={invoice} headingLevel={2} />,
      })}
    />
  );
}
