import { Field } from '#web/ui/forms/field.tsx';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { ShareActions } from './share-actions.tsx';
import { urlOf, type Shared } from './share-sheet.ts';

type ShareLinkDialogProps = {
  shared: Shared;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** A link and what to do with it, for pages with nothing else to share. */
export function ShareLinkDialog({ shared, open, onOpenChange }: ShareLinkDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Share" description={shared.name}>
        <Field
          label="Link"
          value={urlOf(shared)}
          readOnly
          onFocus={(event) => event.target.select()}
        />
        <ShareActions shared={shared} />
      </DialogContent>
    </Dialog>
  );
}
