import { Suspense, useState, type ComponentType, type ReactNode } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import {
  Menu,
  MenuContent,
  MenuLabel,
  MenuSeparator,
  MenuTrigger,
} from '#web/ui/overlays/menu.tsx';
import { returnFocus } from '#web/ui/overlays/overlay.ts';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import type { OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';
import type { TrackDialogProps } from './track-download-dialog.tsx';
import { trackMenuItems } from './track-menu-items.tsx';

export type TrackMenuProps = OverlayProps & {
  track: Track;
  user: User | null;
  /** Items specific to the list the track is in. */
  extraItems?: ReactNode;
};

export function TrackMenu({ track, user, extraItems, open, onOpenChange, opener }: TrackMenuProps) {
  const [Dialog, setDialog] = useState<ComponentType<TrackDialogProps> | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <Menu open={open} onOpenChange={onOpenChange}>
        {/* Only an anchor: people press the button underneath. */}
        <MenuTrigger asChild>
          <span aria-hidden tabIndex={-1} className="pointer-events-none absolute inset-0" />
        </MenuTrigger>
        <MenuContent
          aria-labelledby={undefined}
          aria-label={`More options for ${track.title}`}
          onInteractOutside={(event) => {
            // The button underneath closes the menu with its own click.
            const { target } = event.detail.originalEvent;
            if (target instanceof Node && opener.current?.contains(target)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => returnFocus(event, opener)}
        >
          <MenuLabel className="max-w-64 truncate">{track.title}</MenuLabel>
          {extraItems && (
            <>
              {extraItems}
              <MenuSeparator />
            </>
          )}
          {trackMenuItems.map((Item, i) => (
            <Item key={i} track={track} user={user} showDialog={(next) => setDialog(() => next)} />
          ))}
        </MenuContent>
      </Menu>
      {Dialog && (
        <ErrorBoundary fallback={null} onError={close}>
          <Suspense fallback={null}>
            <Dialog track={track} user={user} open onOpenChange={(isOpen) => isOpen || close()} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}
