import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sharedYearPath } from '#contract/art/card-shapes.ts';
import type { YearShare, YearView } from '#contract/years.ts';
import { copyLink } from '#web/features/sharing/copy-link.ts';
import { shareYearMutation } from '#web/features/years/api.ts';
import { YearPicture } from '#web/features/sharing/year-picture.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import { Copy } from '#web/ui/icons.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';

type YearDialogProps = {
  view: YearView & { share: YearShare };
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** The picture of the year to save, and its public address. */
export function YearDialog({ view, open, onOpenChange }: YearDialogProps) {
  const { year, share } = view;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={`${year} as a picture`}>
        <YearPicture view={view} path={`/api/years/${year}/picture`} />
        <SharedPicture year={year} share={share} />
      </DialogContent>
    </Dialog>
  );
}

function SharedPicture({ year, share }: { year: number; share: YearShare }) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation(shareYearMutation(client, year));
  const change = (choice: { hasName: boolean } | null) => isPending || mutate(choice);
  const url = share && new URL(sharedYearPath(share.token), window.location.origin).href;
  return (
    <div className="mt-6 border-t border-line pt-4">
      <Switch
        label="Public link"
        hint={
          share
            ? 'Anyone with the link sees the picture as it is now and as it grows. Turning it off ends it immediately.'
            : 'Only you can see this picture. A link shows it to others, without an account.'
        }
        checked={share !== null}
        onCheckedChange={(isOn) => change(isOn ? { hasName: false } : null)}
      />
      {url && (
        <>
          <Switch
            label="Show my username"
            hint="Without it, the picture says “My year”."
            checked={share.hasName}
            onCheckedChange={(hasName) => change({ hasName })}
          />
          <div className="mt-2">
            <Field label="Link" value={url} readOnly onFocus={(event) => event.target.select()} />
          </div>
          <Button className="mt-3" variant="line" onClick={() => void copyLink(url)}>
            <Copy />
            Copy link
          </Button>
        </>
      )}
    </div>
  );
}
