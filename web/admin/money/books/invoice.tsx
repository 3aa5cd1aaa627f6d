import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { usePageTitle } from '#web/router/use-page-title.ts';
import { CreditNoteLinks, DocumentView } from '#web/features/billing/documents/document-page.tsx';
import { InvoiceSheet } from '#web/features/billing/documents/invoice-sheet.tsx';
import { memberInvoiceQuery } from './api.ts';
import { GiftRefund } from '#web/admin/money/gift-refund.tsx';
import { AdminDocument } from './admin-document.tsx';

export function Page() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(memberInvoiceQuery(id));
  const title = data ? `Invoice ${data.number}` : 'Invoice';
  usePageTitle(data && title);
  const back =
    data && data.userId !== null
      ? { href: `/admin/subscribers/${data.userId}`, label: 'Back to the member' }
      : { href: '/admin/books', label: 'Back to the books' };
  return (
    <AdminDocument
      title={title}
      name="Invoice"
      error={data ? null : error}
      onRetry={() => void refetch()}
    >
      <DocumentView
        back={back}
        related={
          data && (
            <>
              <CreditNoteLinks notes={data.creditNotes} basePath="/admin" />
              {data.userId === null && <GiftRefund invoice={data} onDone={() => refetch()} />}
            </>
          )
        }
      >
        {data && <InvoiceSheet invoice={data} headingLevel={2} />}
      </DocumentView>
    </AdminDocument>
  );
}
