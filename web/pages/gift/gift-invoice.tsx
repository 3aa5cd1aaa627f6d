import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { DocumentPage } from '#web/features/billing/documents/document-page.tsx';
import { InvoiceSheet } from '#web/features/billing/documents/invoice-sheet.tsx';
import { giftInvoiceQuery } from '#web/features/billing/pay-once/api.ts';

export function Page() {
  const { reference = '' } = useParams();
  const { data, error, refetch } = useQuery(giftInvoiceQuery(reference));
  return (
    <DocumentPage
      name="Invoice"
      back={{ href: `/give/${reference}`, label: 'Back to the gift' }}
      error={error}
      onRetry={() => void refetch()}
    >
      {data && <InvoiceSheet invoice={data} />}
    </DocumentPage>
  );
}
