import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { usePageTitle } from '#web/router/use-page-title.ts';
import { creditNoteQuery } from '#web/features/billing/api.ts';
import { DocumentPage } from '#web/features/billing/documents/document-page.tsx';
import { CreditNoteSheet } from '#web/features/billing/documents/invoice-sheet.tsx';
import { noteTitles } from '#web/features/billing/documents/document-texts.ts';

export function Page() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(creditNoteQuery(id));
  usePageTitle(data && `${noteTitles[data.kind]} ${data.number}`);
  const back = data
    ? {
        href: `/subscription/invoices/${data.invoice.id}`,
        label: `Invoice ${data.invoice.number}`,
      }
    : { href: '/subscription', label: 'Back to your subscription' };
  return (
    <DocumentPage name="Credit note" back={back} error={error} onRetry={() => void refetch()}>
      {data && <CreditNoteSheet note={data} />}
    </DocumentPage>
  );
}
