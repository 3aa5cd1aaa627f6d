import { ListMusic } from 'lucide-react';
import { useRef } from 'react';
import type { Track } from '#contract/tracks.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { lazyOverlay, type OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';

const useAddToPlaylist = lazyOverlay<OverlayProps & { track: Track }>(() =>
  import('#web/features/playlists/add-to-playlist-dialog.tsx').then(
    (module) => module.AddToPlaylistDialog,
  ),
);

const LABEL = 'Add to playlist';
const framedClass = buttonClass({ variant: 'line', className: 'max-md:w-11 max-md:px-0' });

export function AddToPlaylistButton({ track }: { track: Track }) {
  const { Overlay, open, onOpenChange, prefetch } = useAddToPlaylist();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={LABEL}
        aria-haspopup="dialog"
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => onOpenChange(true)}
        className={framedClass}
      >
        <ListMusic aria-hidden strokeWidth={1.75} />
        <span className="max-md:hidden">{LABEL}</span>
      </button>
      {Overlay && <Overlay track={track} open={open} onOpenChange={onOpenChange} opener={button} />}
    </>
  );
}
