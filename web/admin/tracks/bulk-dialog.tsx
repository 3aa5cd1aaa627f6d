import { useState, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose, DialogContent } from '#web/ui/overlays/dialog.tsx';

type BulkDialogProps = {
  title: string;
  submitLabel: string;
  /** Returns an error message, or null on success. */
  onSubmit: () => string | null;
  onClose: () => void;
  children: (error: string | undefined) => ReactNode;
};

/** Asks for the details of a bulk change. */
export function BulkDialog({ title, submitLabel, onSubmit, onClose, children }: BulkDialogProps) {
  const [error, setError] = useState<string>();
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={title}>
        <form
          noValidate
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            setError(onSubmit() ?? undefined);
          }}
        >
          {children(error)}
          <div className="flex gap-2">
            <Button type="submit">{submitLabel}</Button>
            <DialogClose asChild>
              <Button variant="quiet">Cancel</Button>
            </DialogClose>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  );
}
