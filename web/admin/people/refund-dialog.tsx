import { useState } from 'react';
import type { SubscriberPage } from '#contract/admin/subscribers.ts';
import type { Invoice } from '#contract/paying/invoices.ts';
import { call } from '#web/lib/api/api.ts';
import { withConfirmation } from '#web/lib/api/confirm-identity.ts';
import { formatMoney, formatShortDate } from '#web/lib/format/format.ts';
import { Checkbox, Field } from '#web/ui/forms/field.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';

/** What a refund does to access and to later payments. */
export function describeRefund(
  { subscription, subscriber: { username } }: SubscriberPage,
  { isFull, isEnding }: { isFull: boolean; isEnding: boolean },
): string {
  const { renews, nextPayment, currency } = subscription;
  const access = isFull
    ? `${username} loses the period this payment covers.`
    : `${username} keeps the period this payment covers.`;
  if (!renews) return `${access} Nothing more is charged.`;
  if (isEnding)
    return isFull
      ? `${access} The subscription ends, and nothing more is charged.`
      : `${access} The subscription ends with it, and nothing more is charged.`;
  const next = nextPayment
    ? `${formatMoney(nextPayment.amount, currency)} is charged again on ${formatShortDate(nextPayment.at)}.`
    : 'The subscription renews as before.';
  return `${access} ${next}`;
}

type RefundDialogProps = {
  page: SubscriberPage;
  invoice: Invoice;
  onDone: (title: string) => Promise<unknown>;
  onClose: () => void;
};

/** A full refund ends the subscription unless the administrator says otherwise; a part doesn’t. */
export function RefundDialog({ page, invoice, onDone, onClose }: RefundDialogProps) {
  const { id, username } = page.subscriber;
  const left = invoice.amount - invoice.refunded;
  const [amount, setAmount] = useState(left);
  const [choice, setChoice] = useState<boolean | null>(null);
  const isFull = amount >= left;
  const isEnding = choice ?? isFull;
  return (
    <ReasonDialog
      isDestructive
      reasonLabel="Reason"
      failed="That didn’t work."
      onClose={onClose}
      title="Refund"
      description={`Refund invoice ${invoice.number} to ${username}’s card.`}
      confirmLabel="Refund"
      onConfirm={async (reason) => {
        const endsSubscription = page.subscription.renews && isEnding;
        const body = { invoiceId: invoice.id, amount, endsSubscription, reason };
        await withConfirmation(() =>
          call('POST /api/admin/subscribers/:id/refund', { params: { id }, body }),
        );
        await onDone(`Refunded ${formatMoney(amount, invoice.currency)} to ${username}`);
      }}
    >
      <Field
        label="Amount (R)"
        name="amount"
        type="number"
        min={0.01}
        max={left / 100}
        step={0.01}
        defaultValue={left / 100}
        onChange={(event) => setAmount(Math.round(Number(event.target.value) * 100))}
        hint={`Up to ${formatMoney(left, invoice.currency)}.`}
      />
      <div>
        {page.subscription.renews && (
          <Checkbox
            label="Also end the subscription, so that nothing more is charged"
            name="endsSubscription"
            checked={isEnding}
            onChange={(event) => setChoice(event.target.checked)}
          />
        )}
        <p role="status" className="text-13 text-text-2">
          {describeRefund(page, { isFull, isEnding })}
        </p>
      </div>
    </ReasonDialog>
  );
}
