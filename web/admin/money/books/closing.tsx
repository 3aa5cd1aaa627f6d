import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BookMonths } from '#contract/admin/books.ts';
import { formatLongMonth } from '#web/lib/format/format.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { closeMutation, reopenMutation } from './api.ts';

const nameOf = (month: string): string => formatLongMonth(`${month}-01`);

/** The month to offer: the one that is shown, or the oldest that is over and open. */
function findClosable({ months, closed }: BookMonths, shown: string): string | null {
  const open = months.slice(1).filter((month) => closed === null || month > closed);
  return open.find((month) => month === shown) ?? open.at(-1) ?? null;
}

/** Closes months one after the other, and opens the last one again. */
export function Closing({ books, shown }: { books: BookMonths; shown: string }) {
  const { closed } = books;
  const [dialog, setDialog] = useState<'close' | 'reopen' | null>(null);
  const client = useQueryClient();
  const close = useMutation(closeMutation(client));
  const reopen = useMutation(reopenMutation(client));
  const closable = findClosable(books, shown);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="text-13 text-text-2">
        {closed === null ? 'No month is closed yet.' : `Closed up to ${nameOf(closed)}.`}
      </p>
      {closable !== null && (
        <Button variant="line" size="sm" onClick={() => setDialog('close')}>
          Close {nameOf(closable)}
        </Button>
      )}
      {closed !== null && (
        <Button variant="quiet" size="sm" onClick={() => setDialog('reopen')}>
          Open {nameOf(closed)} again
        </Button>
      )}
      {dialog === 'close' && closable !== null && (
        <ReasonDialog
          title={`Close ${nameOf(closable)}`}
          description="Its figures, and those of all months before it, then stay as they are. Payments and refunds of these months that the payment provider reports later are booked in the first open month, with their own dates."
          confirmLabel={`Close ${nameOf(closable)}`}
          onConfirm={async () => {
            await close.mutateAsync(closable);
            showToast({ title: `${nameOf(closable)} is closed` });
          }}
          failed="Couldn’t close the month."
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'reopen' && closed !== null && (
        <ReasonDialog
          title={`Open ${nameOf(closed)} again`}
          description="Only do this if its figures haven’t been handed in. What was booked in later months meanwhile stays there."
          confirmLabel={`Open ${nameOf(closed)}`}
          reasonLabel="Reason"
          onConfirm={async (reason) => {
            await reopen.mutateAsync({ month: closed, reason });
            showToast({ title: `${nameOf(closed)} is open again` });
          }}
          failed="Couldn’t open the month."
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}
