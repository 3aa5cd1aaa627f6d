import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { usePageTitle } from '#web/app/use-page-title.ts';
import { CreditNoteLinks, DocumentPage } from '#web/features/billing/document-page.tsx';
import { InvoiceSheet } from '#web/features/billing/invoice-sheet.tsx';
import { memberInvoiceQuery } from '#web/features/books/api.ts';

export function Page() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(memberInvoiceQuery(id));
  usePageTitle(data && `Invoice ${data.number}`);
  const back =
    data && data.userId !== null
      ? { href: `/admin/subscribers/${data.userId}`, label: 'Back to the member' }
      : { href: '/admin/books', label: 'Back to the books' };
  return (
    <DocumentPage
      name="Invoice"
      back={back}
      error={error}
      onRetry={() => void refetch()}
      related={data && <CreditNoteLinks notes={data.creditNotes} basePath="/admin" />}
    >
      {data && <InvoiceSheet invoice={data} />}
    </DocumentPage>
  );
}
