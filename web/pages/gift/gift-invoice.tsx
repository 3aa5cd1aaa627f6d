import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { DocumentPage } from '#web/features/billing/documents/document-page.tsx';
import { InvoiceSheet } from '#web/features/billing/documents/invoice-sheet.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';

export function Page() {
  const { reference = '' } = useParams();
  return (
    <DocumentPage
      name="Invoice"
      back={{ href: `/give/${reference}`, label: 'Back to the gift' }}
      query={useQuery(
        apiQuery('GET /api/bought-gifts/:reference/invoice', { params: { reference } }),
      )}
      renderView={(invoice) => ({ children: <InvoiceSheet invoice={invoice} /> })}
    />
  );
}
