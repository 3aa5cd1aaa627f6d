import { ArrowDownToLine, ListMusic, ListPlus } from '#web/ui/icons.ts';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { IconButton, iconButtonClass } from '#web/ui/icon-button.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';
import { useQueueTrack } from './queue-track.ts';

const framedClass = buttonClass({
  variant: 'line',
  className: '@max-5xl/content:w-11 @max-5xl/content:px-0',
});

export function AddToQueueButton({ track }: { track: Track }) {
  const addToQueue = useQueueTrack('addToQueue');
  return (
    <IconButton label="Add to queue" onClick={() => addToQueue(track)}>
      <ListPlus />
    </IconButton>
  );
}

const useAddToPlaylist = lazyOverlay(
  'dialog',
  () => import('#web/features/playlists/add-to-playlist-dialog.tsx'),
  'AddToPlaylistDialog',
);

export function AddToPlaylistButton({ track }: { track: Track }) {
  const { buttonProps, render } = useAddToPlaylist();
  return (
    <>
      <button type="button" aria-label="Add to playlist" className={framedClass} {...buttonProps}>
        <ListMusic />
        <span className="@max-5xl/content:hidden">Add to playlist</span>
      </button>
      {render({ track })}
    </>
  );
}

const useDownloadDialog = lazyOverlay(
  'dialog',
  () => import('./track-download-dialog.tsx'),
  'TrackDownloadDialog',
);

type DownloadButtonProps = {
  track: Track;
  user: User | null;
  /** Just an icon, or a framed button with a label where there is room. */
  look?: 'icon' | 'framed';
};

export function DownloadButton({ track, user, look = 'framed' }: DownloadButtonProps) {
  const isFramed = look === 'framed';
  const { buttonProps, render } = useDownloadDialog();
  const { keeping } = track;
  if (keeping === 'none') return null;
  const label = keeping ? 'Save offline' : 'Download';
  return (
    <>
      <button
        type="button"
        aria-label={label}
        className={isFramed ? framedClass : iconButtonClass()}
        {...buttonProps}
      >
        <ArrowDownToLine />
        {isFramed && <span className="@max-5xl/content:hidden">{label}</span>}
      </button>
      {render({ track, user })}
    </>
  );
}
