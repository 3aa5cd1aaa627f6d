import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy } from '#web/ui/icons.ts';
import type { PlaylistDetail } from '#contract/playlists.ts';
import { copyLink } from '#web/features/sharing/copy-link.ts';
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
            ? 'Anyone with this link and an account can open the playlist. What they hear depends on their plan.'
            : `Only you can see ${playlist.name}. Create a link to share it with other members.`
        }
      >
        {shareToken ? (
          <SharedLink
            url={new URL(`/shared/${shareToken}`, window.location.origin).href}
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

type SharedLinkProps = { url: string; isBusy: boolean; onTurnOff: () => void };

function SharedLink({ url, isBusy, onTurnOff }: SharedLinkProps) {
  return (
    <>
      <Field
        label="Link"
        value={url}
        readOnly
        hint="Turning the link off disables it immediately. Sharing again creates a new link."
        onFocus={(event) => event.target.select()}
      />
      <div className="mt-5 flex flex-col gap-2 md:flex-row">
        <Button onClick={() => void copyLink(url)}>
          <Copy />
          Copy link
        </Button>
        <Button variant="line" aria-disabled={isBusy} onClick={onTurnOff}>
          Turn off
        </Button>
      </div>
    </>
  );
}
