import { DownloadDialog } from '#web/features/downloads/download-dialog.tsx';
import { PremiumDialog } from '#web/features/billing/plans/premium-dialog.tsx';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';

/** A dialog that a button or a menu item opens. It stays open after the menu closes. */
export type TrackDialogProps = {
  track: Track;
  user: User | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** Offers the formats to subscribers, and Premium to everyone else. */
export function TrackDownloadDialog({ track, user, open, onOpenChange }: TrackDialogProps) {
  if (track.access === 'full')
    return <DownloadDialog track={track} user={user} open={open} onOpenChange={onOpenChange} />;
  return <PremiumDialog open={open} onOpenChange={onOpenChange} isLoggedIn={user !== null} />;
}
