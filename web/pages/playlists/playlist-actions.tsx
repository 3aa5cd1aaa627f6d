import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil, Share2, Trash2 } from '#web/ui/icons.ts';
import { useLocation } from 'wouter';
import type { PlaylistDetail } from '#contract/playlists.ts';
import { deletePlaylistMutation } from '#web/features/playlists/mutations.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';

const useShareDialog = lazyOverlay('dialog', () => import('./share-dialog.tsx'), 'ShareDialog');

type PlaylistActionsProps = { playlist: PlaylistDetail; onEdit: () => void };

/** Actions for the owner of the playlist. */
export function PlaylistActions({ playlist, onEdit }: PlaylistActionsProps) {
  return (
    <div className="flex @2xl/content:gap-1">
      <ShareButton playlist={playlist} />
      <IconButton label="Edit details" onClick={onEdit}>
        <Pencil />
      </IconButton>
      <DeleteButton playlist={playlist} />
    </div>
  );
}

function ShareButton({ playlist }: Pick<PlaylistActionsProps, 'playlist'>) {
  const { buttonProps, render } = useShareDialog();
  return (
    <>
      <IconButton label="Share" {...buttonProps}>
        <Share2 />
      </IconButton>
      {render({ playlist })}
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
