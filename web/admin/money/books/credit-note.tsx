import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { usePageTitle } from '#web/router/use-page-title.ts';
import { DocumentView } from '#web/features/billing/documents/document-page.tsx';
import { CreditNoteSheet } from '#web/features/billing/documents/invoice-sheet.tsx';
import { noteTitles } from '#web/features/billing/documents/document-texts.ts';
import { memberCreditNoteQuery } from './api.ts';
import { AdminDocument } from './admin-document.tsx';

export function Page() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(memberCreditNoteQuery(id));
  const title = data ? `${noteTitles[data.kind]} ${data.number}` : 'Credit note';
  usePageTitle(data && title);
  const back = data
    ? { href: `/admin/invoices/${data.invoice.id}`, label: `Invoice ${data.invoice.number}` }
    : { href: '/admin/books', label: 'Back to the books' };
  return (
    <AdminDocument
      title={title}
      name="Credit note"
      error={data ? null : error}
      onRetry={() => void refetch()}
    >
      <DocumentView back={back}>
        {data && <CreditNoteSheet note={data} headingLevel={2} />}
      </DocumentView>
    </AdminDocument>
  );
}
