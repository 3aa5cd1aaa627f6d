import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { CreditNoteSheet } from '#web/features/billing/documents/invoice-sheet.tsx';
import { noteTitles } from '#web/features/billing/documents/document-texts.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { AdminDocument } from './admin-document.tsx';

export function Page() {
  const { id = '' } = useParams();
  const query = useQuery(apiQuery('GET /api/admin/credit-notes/:id', { params: { id } }));
  return (
    <AdminDocument
      name="Credit note"
      number={query.data?.number}
      title={query.data ? noteTitles[query.data.kind] : undefined}
      query={query}
      renderView={(note) => ({
        back: {
          href: `/admin/invoices/${note.invoice.id}`,
          label: `Invoice ${note.invoice.number}`,
        },
        children: <CreditNoteSheet note={note} headingLevel={2} />,
      })}
    />
  );
}
