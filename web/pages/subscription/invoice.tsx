import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { usePageTitle } from '#web/router/use-page-title.ts';
import { invoiceQuery } from '#web/features/billing/api.ts';
import { CreditNoteLinks, DocumentPage } from '#web/features/billing/documents/document-page.tsx';
import { InvoiceSheet } from '#web/features/billing/documents/invoice-sheet.tsx';

const back = { href: '/subscription', label: 'Back to your subscription' };

export function Page() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(invoiceQuery(id));
  usePageTitle(data && `Invoice ${data.number}`);
  return (
    <DocumentPage
      name="Invoice"
      back={back}
      error={error}
      onRetry={() => void refetch()}
      related={data && <CreditNoteLinks notes={data.creditNotes} basePath="/subscription" />}
    >
      {data && <InvoiceSheet invoice={data} />}
    </DocumentPage>
  );
}
