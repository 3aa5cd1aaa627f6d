import { useLocation } from 'wouter';
import { DownloadDialog } from '#web/features/downloads/download-dialog.tsx';
import { PremiumDialog } from '#web/features/player/premium-dialog.tsx';
import { loginPath } from '#web/lib/guard.ts';
import type { TrackDialogProps } from './track-menu-item.ts';

/** The formats for those who hear whole mixes; what Premium is for everybody else. */
export function TrackDownloadDialog({ track, user, open, onOpenChange }: TrackDialogProps) {
  const [location] = useLocation();
  if (track.access === 'full')
    return <DownloadDialog track={track} user={user} open={open} onOpenChange={onOpenChange} />;
  return (
    <PremiumDialog
      open={open}
      onOpenChange={onOpenChange}
      isLoggedIn={user !== null}
      loginPath={loginPath(location)}
    />
  );
}
