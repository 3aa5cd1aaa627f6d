import type { ComponentType } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';

/** What an item may open: a dialog that outlives the menu. Hand over a lazy one. */
export type TrackDialogProps = {
  track: Track;
  user: User | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

export type TrackMenuItemProps = {
  track: Track;
  user: User | null;
  showDialog: (Dialog: ComponentType<TrackDialogProps>) => void;
};
