import { Ellipsis } from '#web/ui/icons.ts';
import { iconButtonClass } from '#web/ui/icon-button.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';
import type { TrackMenuProps } from './track-menu.tsx';

const useTrackMenu = lazyOverlay('menu', () => import('./track-menu.tsx'), 'TrackMenu');

type TrackMenuButtonProps = Pick<
  TrackMenuProps,
  'track' | 'user' | 'extraItems' | 'isOnItsPage'
> & {
  className?: string;
};

/** Three dots. The menu's code loads on hover or focus. */
export function TrackMenuButton({ className, ...menu }: TrackMenuButtonProps) {
  const { buttonProps, render } = useTrackMenu();
  return (
    <span className="relative inline-grid shrink-0">
      <button
        type="button"
        aria-label={`More options for ${menu.track.title}`}
        className={iconButtonClass({ className })}
        {...buttonProps}
      >
        <Ellipsis />
      </button>
      {render(menu)}
    </span>
  );
}
