import { useState, type FormEvent, type ReactNode } from 'react';
import { readText } from '#web/lib/parse-form.ts';
import { Button } from '../button.tsx';
import { Dialog, DialogContent } from './dialog.tsx';
import { FieldFrame, inputClass } from '../forms/field.tsx';
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
  /** Throws an error that `describeFailure` can put into words. */
  onConfirm: (reason: string, form: FormData) => Promise<unknown>;
  describeFailure: (error: unknown) => string;
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
  describeFailure,
  onClose,
}: ReasonDialogProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending) return;
    const form = new FormData(event.currentTarget);
    const reason = readText(form, 'reason').trim();
    if (reasonLabel && reason === '') return setFailure('Enter a reason.');
    setSending(true);
    try {
      await onConfirm(reason, form);
      onClose();
    } catch (error) {
      setFailure(describeFailure(error));
    } finally {
      setSending(false);
    }
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={title} description={description}>
        <form noValidate onSubmit={submit} className="flex flex-col gap-5">
          {failure && <Notice tone="danger" title={failure} />}
          {children}
          {reasonLabel && (
            <FieldFrame label={reasonLabel} hint="Recorded in the audit log.">
              {(control) => (
                <textarea
                  {...control}
                  name="reason"
                  rows={3}
                  maxLength={500}
                  required
                  className={`${inputClass} h-auto py-2.5`}
                />
              )}
            </FieldFrame>
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
