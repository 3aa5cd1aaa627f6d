import { useState, type ComponentType } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { AnchoredMenu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlays/menu.tsx';
import type { OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';
import { goToTrack, trackMenuItems, type LazyTrackDialog } from './track-menu-items.tsx';

/** As data, because the code of menus loads only when one opens. */
export type ExtraItem = { icon: ComponentType; text: string; onSelect: () => void };

export type TrackMenuProps = OverlayProps & {
  track: Track;
  user: User | null;
  /** Items specific to the list the track is in. */
  extraItems?: readonly ExtraItem[] | undefined;
  /** Next to the buttons of the mix’s own page, which it needn’t repeat. */
  isOnItsPage?: boolean;
};

/** What the page has no room for as a button. */
function listMissingItems(opener: HTMLElement | null) {
  const buttons = [...(opener?.closest('section')?.querySelectorAll('button') ?? [])];
  const shown = new Set(
    buttons.filter((button) => button.offsetParent).map((one) => one.ariaLabel),
  );
  return trackMenuItems.filter(({ button }) => !button || !shown.has(button));
}

export function TrackMenu(props: TrackMenuProps) {
  const { track, user, extraItems = [], isOnItsPage = false, ...overlay } = props;
  const [items] = useState(() =>
    isOnItsPage ? listMissingItems(overlay.opener.current) : [...trackMenuItems, goToTrack],
  );
  const [Dialog, setDialog] = useState<LazyTrackDialog | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <AnchoredMenu label={`More options for ${track.title}`} {...overlay}>
        <MenuLabel className="max-w-64 truncate">{track.title}</MenuLabel>
        {extraItems.map(({ icon: Icon, text, onSelect }) => (
          <MenuItem key={text} onSelect={onSelect}>
            <Icon />
            {text}
          </MenuItem>
        ))}
        {extraItems.length > 0 && <MenuSeparator />}
        {items.map(({ Item }, i) => (
          <Item key={i} track={track} user={user} showDialog={(next) => setDialog(() => next)} />
        ))}
      </AnchoredMenu>
      {Dialog && (
        <Dialog
          track={track}
          user={user}
          open
          onOpenChange={(isOpen) => isOpen || close()}
          onFail={close}
        />
      )}
    </>
  );
}
