import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { DocumentPage } from '#web/features/billing/documents/document-page.tsx';
import { InvoiceSheet } from '#web/features/billing/documents/invoice-sheet.tsx';
import { giftInvoiceQuery } from '#web/features/billing/pay-once/api.ts';

export function Page() {
  const { reference = '' } = useParams();
  return (
    <DocumentPage
      name="Invoice"
      back={{ href: `/give/${reference}`, label: 'Back to the gift' }}
      query={useQuery(giftInvoiceQuery(reference))}
      renderView={(invoice) => ({ children: <InvoiceSheet invoice={invoice} /> })}
    />
  );
}
