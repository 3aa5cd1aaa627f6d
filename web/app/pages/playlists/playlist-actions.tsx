import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil, Share2, Trash2 } from '#web/ui/icons.ts';
import { useRef, type ComponentProps } from 'react';
import { useLocation } from 'wouter';
import type { PlaylistDetail } from '#contract/playlists.ts';
import { deletePlaylistMutation } from '#web/features/playlists/mutations.ts';
import type { ShareDialog } from '#web/features/playlists/share-dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyOverlay, type OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';

const useShareDialog = lazyOverlay<ComponentProps<typeof ShareDialog> & OverlayProps>(() =>
  import('#web/features/playlists/share-dialog.tsx').then((module) => module.ShareDialog),
);

type PlaylistActionsProps = { playlist: PlaylistDetail; onEdit: () => void };

/** Actions for the owner of the playlist. */
export function PlaylistActions({ playlist, onEdit }: PlaylistActionsProps) {
  return (
    <div className="flex md:gap-1">
      <ShareButton playlist={playlist} />
      <IconButton label="Edit details" onClick={onEdit}>
        <Pencil />
      </IconButton>
      <DeleteButton playlist={playlist} />
    </div>
  );
}

function ShareButton({ playlist }: Pick<PlaylistActionsProps, 'playlist'>) {
  const { Overlay, open, onOpenChange, prefetch } = useShareDialog();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={button}
        label="Share"
        aria-haspopup="dialog"
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => onOpenChange(true)}
      >
        <Share2 />
      </IconButton>
      {Overlay && (
        <Overlay playlist={playlist} open={open} onOpenChange={onOpenChange} opener={button} />
      )}
    </>
  );
}

function DeleteButton({ playlist }: Pick<PlaylistActionsProps, 'playlist'>) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { mutateAsync, isPending } = useMutation(deletePlaylistMutation(client, playlist));
  async function remove(): Promise<void> {
    // The mutation shows its own error; the playlist is still there.
    await mutateAsync().then(
      () => navigate('/playlists'),
      () => undefined,
    );
  }
  return (
    <IconButton label="Delete playlist" disabled={isPending} onClick={() => void remove()}>
      <Trash2 />
    </IconButton>
  );
}
