import { ArrowDownToLine } from 'lucide-react';
import { useRef } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { iconButtonClass } from '#web/ui/icon-button.tsx';
import { lazyOverlay, type OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';
import type { TrackDialogProps } from './track-menu-item.ts';

const useDownloadDialog = lazyOverlay<TrackDialogProps & OverlayProps>(() =>
  import('./track-download-dialog.tsx').then((module) => module.TrackDownloadDialog),
);

const LABEL = 'Download';
const framedClass = buttonClass({ variant: 'line', className: 'max-md:w-11 max-md:px-0' });

type DownloadButtonProps = {
  track: Track;
  user: User | null;
  /** An arrow alone, or in a frame with its word where there is room. */
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
        aria-label={LABEL}
        aria-haspopup="dialog"
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => onOpenChange(true)}
        className={isFramed ? framedClass : iconButtonClass()}
      >
        <ArrowDownToLine aria-hidden strokeWidth={1.75} />
        {isFramed && <span className="max-md:hidden">{LABEL}</span>}
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
