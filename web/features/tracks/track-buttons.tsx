import { ArrowDownToLine, ListMusic, ListPlus, Share2 } from '#web/ui/icons.ts';
import { useRef } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { IconButton, iconButtonClass } from '#web/ui/icon-button.tsx';
import { lazyOverlay, type OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';
import { useAddToQueue } from './queue-track.ts';
import { shareTrack } from './share-track.ts';
import type { TrackDialogProps } from './track-download-dialog.tsx';

const framedClass = buttonClass({ variant: 'line', className: 'max-md:w-11 max-md:px-0' });

export function AddToQueueButton({ track }: { track: Track }) {
  const addToQueue = useAddToQueue();
  return (
    <IconButton label="Add to queue" onClick={() => addToQueue(track)}>
      <ListPlus />
    </IconButton>
  );
}

export function ShareButton({ track }: { track: Track }) {
  return (
    <IconButton label="Share" onClick={() => void shareTrack(track)}>
      <Share2 />
    </IconButton>
  );
}

const useAddToPlaylist = lazyOverlay<OverlayProps & { track: Track }>(() =>
  import('#web/features/playlists/add-to-playlist-dialog.tsx').then(
    (module) => module.AddToPlaylistDialog,
  ),
);

export function AddToPlaylistButton({ track }: { track: Track }) {
  const { Overlay, open, onOpenChange, prefetch } = useAddToPlaylist();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label="Add to playlist"
        aria-haspopup="dialog"
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => onOpenChange(true)}
        className={framedClass}
      >
        <ListMusic />
        <span className="max-md:hidden">Add to playlist</span>
      </button>
      {Overlay && <Overlay track={track} open={open} onOpenChange={onOpenChange} opener={button} />}
    </>
  );
}

const useDownloadDialog = lazyOverlay<TrackDialogProps & OverlayProps>(() =>
  import('./track-download-dialog.tsx').then((module) => module.TrackDownloadDialog),
);

type DownloadButtonProps = {
  track: Track;
  user: User | null;
  /** Just an icon, or a framed button with a label on wide screens. */
  look?: 'icon' | 'framed';
};

export function DownloadButton({ track, user, look = 'framed' }: DownloadButtonProps) {
  const isFramed = look === 'framed';
  const { Overlay, open, onOpenChange, prefetch } = useDownloadDialog();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label="Download"
        aria-haspopup="dialog"
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => onOpenChange(true)}
        className={isFramed ? framedClass : iconButtonClass()}
      >
        <ArrowDownToLine />
        {isFramed && <span className="max-md:hidden">Download</span>}
      </button>
      {Overlay && (
        <Overlay
          track={track}
          user={user}
          open={open}
          onOpenChange={onOpenChange}
          opener={button}
        />
      )}
    </>
  );
}
