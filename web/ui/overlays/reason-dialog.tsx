import type { ReactNode } from 'react';
import { readText } from '#web/ui/forms/parse-form.ts';
import { Form } from '#web/ui/forms/form.tsx';
import { Button } from '../button.tsx';
import { Dialog, DialogContent } from './dialog.tsx';
import { TextAreaField } from '../forms/field.tsx';

type ReasonDialogProps = {
  open?: boolean;
  title: string;
  /** What will happen, in full sentences. */
  description: ReactNode;
  confirmLabel: string;
  busyLabel?: string;
  cancelLabel?: string;
  size?: 'md' | 'lg';
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
  open = true,
  title,
  description,
  confirmLabel,
  busyLabel = confirmLabel,
  cancelLabel = 'Cancel',
  size = 'md',
  isDestructive = false,
  reasonLabel,
  children,
  onConfirm,
  failed,
  onClose,
}: ReasonDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={title} description={description}>
        <Form
          submitLabel={confirmLabel}
          busyLabel={busyLabel}
          button={{ size, variant: isDestructive ? 'danger' : 'primary' }}
          actions={
            <Button variant="quiet" size={size} onClick={onClose}>
              {cancelLabel}
            </Button>
          }
          parse={(element) => {
            const form = new FormData(element);
            const reason = readText(form, 'reason').trim();
            if (reasonLabel && reason === '') return { errors: { form: 'Enter a reason.' } };
            return { data: { form, reason } };
          }}
          onSubmit={async ({ form, reason }) => {
            await onConfirm(reason, form);
            onClose();
          }}
          failed={failed}
        >
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
        </Form>
      </DialogContent>
    </Dialog>
  );
}
