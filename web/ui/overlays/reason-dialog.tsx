import { useState, type FormEvent, type ReactNode } from 'react';
import { readText } from '#web/lib/parse-form.ts';
import { Button } from '../button.tsx';
import { Dialog, DialogContent } from './dialog.tsx';
import { FieldFrame, inputClass } from '../forms/field.tsx';
import { Notice } from '../notice.tsx';

type ReasonDialogProps = {
  title: string;
  /** What will happen, in full sentences. */
  says: ReactNode;
  confirmLabel: string;
  isDestructive?: boolean;
  /** Absent where the act needs no reason. */
  reasonLabel?: string;
  /** More fields, above the reason. */
  children?: ReactNode;
  /** Throws with a sentence when it was refused. */
  onConfirm: (because: string, form: FormData) => Promise<unknown>;
  describeFailure: (error: unknown) => string;
  onClose: () => void;
};

/** Says what an act will do and asks why, because both are read again later. */
export function ReasonDialog({
  title,
  says,
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
    const because = readText(form, 'because').trim();
    if (reasonLabel && because === '') return setFailure('Say why.');
    setSending(true);
    try {
      await onConfirm(because, form);
      onClose();
    } catch (error) {
      setFailure(describeFailure(error));
    } finally {
      setSending(false);
    }
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={title} description={says}>
        <form noValidate onSubmit={submit} className="flex flex-col gap-5">
          {failure && <Notice tone="danger" title={failure} />}
          {children}
          {reasonLabel && (
            <FieldFrame label={reasonLabel} hint="Kept in the audit log.">
              {(control) => (
                <textarea
                  {...control}
                  name="because"
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
