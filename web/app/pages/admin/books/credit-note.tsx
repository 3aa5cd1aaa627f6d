import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { usePageTitle } from '#web/app/use-page-title.ts';
import { DocumentPage } from '#web/features/billing/document-page.tsx';
import { CreditNoteSheet } from '#web/features/billing/invoice-sheet.tsx';
import { noteTitles } from '#web/features/billing/subscription-texts.ts';
import { memberCreditNoteQuery } from '#web/features/books/api.ts';

export function Page() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(memberCreditNoteQuery(id));
  usePageTitle(data && `${noteTitles[data.kind]} ${data.number}`);
  const back = data
    ? { href: `/admin/invoices/${data.invoice.id}`, label: `Invoice ${data.invoice.number}` }
    : { href: '/admin/books', label: 'Back to the books' };
  return (
    <DocumentPage name="Credit note" back={back} error={error} onRetry={() => void refetch()}>
      {data && <CreditNoteSheet note={data} />}
    </DocumentPage>
  );
}
