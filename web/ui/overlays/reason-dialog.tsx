import type { ReactNode } from 'react';
import { readText } from '#web/ui/forms/parse-form.ts';
import { useForm } from '#web/ui/forms/use-form.ts';
import { Button } from '../button.tsx';
import { Dialog, DialogContent } from './dialog.tsx';
import { TextAreaField } from '../forms/field.tsx';
import { Notice } from '../notice.tsx';

type ReasonDialogProps = {
  title: string;
  /** What will happen, in full sentences. */
  description: ReactNode;
  confirmLabel: string;
  isDestructive?: boolean;
  /** Leave it out when no reason is needed. */
  reasonLabel?: string;
  /** More fields, above the reason. */
  children?: ReactNode;
  onConfirm: (reason: string, form: FormData) => Promise<unknown>;
  /** The message when the server gives no reason. */
  failed: string;
  onClose: () => void;
};

/** Explains an action and asks for the reason, which the audit log records. */
export function ReasonDialog({
  title,
  description,
  confirmLabel,
  isDestructive = false,
  reasonLabel,
  children,
  onConfirm,
  failed,
  onClose,
}: ReasonDialogProps) {
  const { submit, failure, isSending } = useForm({
    parse: (element) => {
      const form = new FormData(element);
      const reason = readText(form, 'reason').trim();
      if (reasonLabel && reason === '') return { errors: { form: 'Enter a reason.' } };
      return { data: { form, reason } };
    },
    onSubmit: async ({ form, reason }) => {
      await onConfirm(reason, form);
      onClose();
    },
    failed,
  });

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={title} description={description}>
        <form noValidate onSubmit={submit} className="flex flex-col gap-5">
          {failure && <Notice tone="danger" title={failure} />}
          {children}
          {reasonLabel && (
            <TextAreaField
              label={reasonLabel}
              hint="Recorded in the audit log."
              name="reason"
              rows={3}
              maxLength={500}
              required
            />
          )}
          <div className="flex flex-col gap-2 md:flex-row">
            <Button
              type="submit"
              variant={isDestructive ? 'danger' : 'primary'}
              aria-disabled={isSending}
            >
              {confirmLabel}
            </Button>
            <Button variant="quiet" onClick={onClose}>
              Cancel
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  );
}
