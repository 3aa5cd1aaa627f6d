import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CANCEL_REASONS, Subscription } from '#contract/billing.ts';
import { readText } from '#web/ui/forms/parse-form.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Form } from '#web/ui/forms/form.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextAreaField } from '#web/ui/forms/field.tsx';
import { Dialog, DialogClose, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { call } from '#web/lib/api/api.ts';
import { saveSubscription } from '#web/features/billing/subscription-changes.ts';
import { useResume } from './use-resume.ts';
import {
  describeCancellation,
  describeCancelled,
  useDateContext,
} from '#web/features/billing/subscription-texts.ts';

type CancelReason = (typeof CANCEL_REASONS)[number];

const reasons: Record<CancelReason, string> = {
  'too-expensive': 'It’s too expensive',
  'not-enough-music': 'Not enough music for me',
  'technical-problems': 'Something wasn’t working',
  'another-service': 'I’m using another service',
  'only-for-a-while': 'I only needed it for a while',
  other: 'Something else',
};

type CancelDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  subscription: Subscription;
};

export function CancelDialog({ open, onOpenChange, subscription }: CancelDialogProps) {
  const dates = useDateContext();
  const client = useQueryClient();
  const resume = useResume();
  const [reason, setReason] = useState<CancelReason | null>(null);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Cancel subscription"
        description={describeCancellation(subscription, dates)}
      >
        <Form
          className="flex flex-col gap-4"
          submitLabel="Cancel subscription"
          busyLabel="Cancelling…"
          button={{ variant: 'danger', size: 'lg' }}
          actions={
            <DialogClose asChild>
              <Button variant="quiet" size="lg">
                Keep Premium
              </Button>
            </DialogClose>
          }
          parse={(form) => {
            const comment = readText(new FormData(form), 'comment').trim();
            return { data: { ...(reason && { reason }), ...(comment && { comment }) } };
          }}
          onSubmit={async (body) => {
            const cancelled = await call('POST /api/subscription/cancel', { body });
            await saveSubscription(client, cancelled);
            onOpenChange(false);
            showToast({
              title: 'Cancelled',
              description: describeCancelled(cancelled, dates),
              ...(cancelled.canResume && { undo: { run: resume } }),
            });
          }}
          failed="Couldn’t cancel. Check your connection and try again."
        >
          <fieldset>
            <legend className="mb-1 font-medium">Why are you cancelling? (optional)</legend>
            {(Object.keys(reasons) as CancelReason[]).map((value) => (
              <label key={value} className="flex min-h-11 items-center gap-3 border-b border-line">
                <input
                  type="radio"
                  name="reason"
                  value={value}
                  checked={reason === value}
                  onChange={() => setReason(value)}
                  className="size-5 shrink-0"
                />
                {reasons[value]}
              </label>
            ))}
          </fieldset>
          <TextAreaField
            label="Anything to add? (optional)"
            name="comment"
            rows={3}
            maxLength={1000}
          />
        </Form>
      </DialogContent>
    </Dialog>
  );
}
