import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { CreditNoteLinks } from '#web/features/billing/documents/document-page.tsx';
import { InvoiceSheet } from '#web/features/billing/documents/invoice-sheet.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { AdminDocument } from './admin-document.tsx';
import { useState } from 'react';
import type { InvoicePage } from '#contract/paying/invoices.ts';
import { call } from '#web/lib/api/api.ts';
import { withConfirmation } from '#web/lib/api/confirm-identity.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';

export function Page() {
  const { id = '' } = useParams();
  const query = useQuery(apiQuery('GET /api/admin/invoices/:id', { params: { id } }));
  return (
    <AdminDocument
      name="Invoice"
      number={query.data?.number}
      query={query}
      renderView={(invoice) => ({
        ...(invoice.userId !== null && {
          back: { href: `/admin/subscribers/${invoice.userId}`, label: 'Back to the member' },
        }),
        related: (
          <>
            <CreditNoteLinks notes={invoice.creditNotes} basePath="/admin" />
            {invoice.userId === null && (
              <GiftRefund invoice={invoice} onDone={() => query.refetch()} />
            )}
          </>
        ),
        children: <InvoiceSheet invoice={invoice} headingLevel={2} />,
      })}
    />
  );
}

/** For an invoice that belongs to no account: a member's is refunded on the member's page. */
function GiftRefund({ invoice, onDone }: { invoice: InvoicePage; onDone: () => unknown }) {
  const [isOpen, setOpen] = useState(false);
  const amount = invoice.amount - invoice.refunded;
  if (amount <= 0) return null;
  const money = formatMoney(amount, invoice.currency);
  return (
    <>
      <Button variant="line" onClick={() => setOpen(true)}>
        Refund {money}
      </Button>
      {isOpen && (
        <ReasonDialog
          isDestructive
          reasonLabel="Reason"
          failed="That didn’t work."
          onClose={() => setOpen(false)}
          title="Refund"
          description={`Refund invoice ${invoice.number}: all of ${money}. The link of a gift that nobody has claimed stops working; if it was claimed, what is left of its time ends.`}
          confirmLabel="Refund"
          onConfirm={async (reason) => {
            const body = { amount, reason };
            const { id } = invoice;
            await withConfirmation(() =>
              call('POST /api/admin/invoices/:id/refund', { params: { id }, body }),
            );
            setOpen(false);
            showToast({ title: `Refunded ${money}` });
            await onDone();
          }}
        />
      )}
    </>
  );
}
