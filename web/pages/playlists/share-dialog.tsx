import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PlaylistDetail } from '#contract/playlists.ts';
import { ShareActions } from '#web/features/sharing/share-actions.tsx';
import { urlOf, type Shared } from '#web/features/sharing/share-sheet.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { sharePlaylistMutation } from '#web/features/playlists/mutations.ts';

type ShareDialogProps = {
  playlist: Pick<PlaylistDetail, 'id' | 'name' | 'shareToken'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

export function ShareDialog({ playlist, open, onOpenChange }: ShareDialogProps) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation(sharePlaylistMutation(client, playlist.id));
  const { shareToken } = playlist;
  const setShared = (isShared: boolean) => isPending || mutate(isShared);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Share"
        description={
          shareToken
            ? 'Anyone with this link sees its name and hears a preview. With an account they open it, and their plan decides what they hear.'
            : `Only you can see ${playlist.name}. Create a link to share it.`
        }
      >
        {shareToken ? (
          <SharedLink
            shared={{ path: `/shared/${shareToken}`, name: playlist.name }}
            isBusy={isPending}
            onTurnOff={() => setShared(false)}
          />
        ) : (
          <Button aria-disabled={isPending} onClick={() => setShared(true)}>
            Create link
          </Button>
        )}
      </DialogContent>
    </Dialog>
  );
}

type SharedLinkProps = { shared: Shared; isBusy: boolean; onTurnOff: () => void };

function SharedLink({ shared, isBusy, onTurnOff }: SharedLinkProps) {
  return (
    <>
      <Field
        label="Link"
        value={urlOf(shared)}
        readOnly
        hint="Turning the link off disables it immediately. Sharing again creates a new link."
        onFocus={(event) => event.target.select()}
      />
      <ShareActions shared={shared}>
        <Button variant="line" aria-disabled={isBusy} onClick={onTurnOff}>
          Turn off
        </Button>
      </ShareActions>
    </>
  );
}
