import { ArrowDownToLine } from 'lucide-react';
import { useRef } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { lazyOverlay, type OverlayProps } from '../shell/lazy-overlay.tsx';
import type { TrackDialogProps } from '../tracks/track-menu-item.ts';

const useDownloadDialog = lazyOverlay<TrackDialogProps & OverlayProps>(() =>
  import('../tracks/track-download-dialog.tsx').then((module) => module.TrackDownloadDialog),
);

const LABEL = 'Download';
const framedClass = buttonClass({ variant: 'line', className: 'max-md:w-11 max-md:px-0' });

export function DownloadButton({ track, user }: { track: Track; user: User | null }) {
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
        className={framedClass}
      >
        <ArrowDownToLine aria-hidden strokeWidth={1.75} />
        <span className="max-md:hidden">{LABEL}</span>
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
