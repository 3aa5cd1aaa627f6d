import { Ellipsis } from '#web/ui/icons.ts';
import { useRef } from 'react';
import { iconButtonClass } from '#web/ui/icon-button.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';
import type { TrackMenuProps } from './track-menu.tsx';

const useTrackMenu = lazyOverlay(() =>
  import('./track-menu.tsx').then((module) => module.TrackMenu),
);

type TrackMenuButtonProps = Pick<TrackMenuProps, 'track' | 'user' | 'extraItems'> & {
  className?: string;
};

/** Three dots. The menu's code loads on hover or focus. */
export function TrackMenuButton({ className, ...menu }: TrackMenuButtonProps) {
  const { Overlay, open, onOpenChange, prefetch } = useTrackMenu();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <span className="relative inline-grid shrink-0">
      <button
        ref={button}
        type="button"
        aria-label={`More options for ${menu.track.title}`}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => onOpenChange(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          onOpenChange(true);
        }}
        className={iconButtonClass({ className })}
      >
        <Ellipsis />
      </button>
      {Overlay && <Overlay {...menu} open={open} onOpenChange={onOpenChange} opener={button} />}
    </span>
  );
}
