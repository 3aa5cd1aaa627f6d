import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { usePageTitle } from '#web/router/use-page-title.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { CreditNoteLinks, DocumentPage } from '#web/features/billing/documents/document-page.tsx';
import { InvoiceSheet } from '#web/features/billing/documents/invoice-sheet.tsx';

export function Page() {
  const { id = '' } = useParams();
  const query = useQuery(apiQuery('GET /api/subscription/invoices/:id', { params: { id } }));
  usePageTitle(query.data && `Invoice ${query.data.number}`);
  return (
    <DocumentPage
      name="Invoice"
      back={{ href: '/subscription', label: 'Back to your subscription' }}
      query={query}
      renderView={(invoice) => ({
        related: <CreditNoteLinks notes={invoice.creditNotes} basePath="/subscription" />,
        children: <InvoiceSheet invoice={invoice} />,
      })}
    />
  );
}
