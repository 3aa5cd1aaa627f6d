import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { usePageTitle } from '#web/router/use-page-title.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { DocumentPage } from '#web/features/billing/documents/document-page.tsx';
import { CreditNoteSheet } from '#web/features/billing/documents/invoice-sheet.tsx';
import { noteTitles } from '#web/features/billing/documents/document-texts.ts';

export function Page() {
  const { id = '' } = useParams();
  const query = useQuery(apiQuery('GET /api/subscription/credit-notes/:id', { params: { id } }));
  usePageTitle(query.data && `${noteTitles[query.data.kind]} ${query.data.number}`);
  return (
    <DocumentPage
      name="Credit note"
      back={{ href: '/subscription', label: 'Back to your subscription' }}
      query={query}
      renderView={(note) => ({
        back: {
          href: `/subscription/invoices/${note.invoice.id}`,
          label: `Invoice ${note.invoice.number}`,
        },
        children: <CreditNoteSheet note={note} />,
      })}
    />
  );
}
