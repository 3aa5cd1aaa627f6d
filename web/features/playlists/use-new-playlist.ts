import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';

/** The dialog that creates a playlist. Its code loads on hover or focus. */
export const useNewPlaylist = lazyOverlay(
  'dialog',
  () => import('./new-playlist-dialog.tsx'),
  'NewPlaylistDialog',
);
