import type { ComponentProps } from 'react';
import type { NewPlaylistDialog } from '#web/features/playlists/new-playlist-dialog.tsx';
import { lazyOverlay, type OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';

/** The dialog that creates a playlist. Its code loads on hover or focus. */
export const useNewPlaylist = lazyOverlay<ComponentProps<typeof NewPlaylistDialog> & OverlayProps>(
  () =>
    import('#web/features/playlists/new-playlist-dialog.tsx').then(
      (module) => module.NewPlaylistDialog,
    ),
);
