import {
  ArrowDownToLine,
  Disc3,
  Heart,
  ListEnd,
  ListMusic,
  ListStart,
  QrCode,
  Share2,
} from '#web/ui/icons.ts';
import { type ComponentType } from 'react';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { useListedFavorite } from '#web/features/favorites/use-favorite.ts';
import { isSheetUsual, openShareSheet, shareTrack } from '#web/features/sharing/share-sheet.ts';
import { MenuItem } from '#web/ui/overlays/menu.tsx';
import { useQueueTrack } from './queue-track.ts';
import type { TrackDialogProps } from './track-download-dialog.tsx';
import { lazyPanel } from '#web/ui/overlays/lazy-overlay.tsx';

/** A dialog whose code loads when it opens. */
export type LazyTrackDialog = ComponentType<TrackDialogProps & { onFail: () => void }>;

type TrackMenuItemProps = {
  track: Track;
  user: User | null;
  showDialog: (Dialog: LazyTrackDialog) => void;
};

function PlayNextItem({ track }: TrackMenuItemProps) {
  const playNext = useQueueTrack('playNext');
  return (
    <MenuItem onSelect={() => playNext(track)}>
      <ListStart />
      Play next
    </MenuItem>
  );
}

function AddToQueueItem({ track }: TrackMenuItemProps) {
  const addToQueue = useQueueTrack('addToQueue');
  return (
    <MenuItem onSelect={() => addToQueue(track)}>
      <ListEnd />
      Add to queue
    </MenuItem>
  );
}

/** The only way to favorite a mix in narrow rows of the chart, which have no room for a heart. */
function FavoriteItem({ track, user }: TrackMenuItemProps) {
  const { isFavorite, toggle } = useListedFavorite(track, user);
  if (!user) return null;
  return (
    <MenuItem onSelect={toggle}>
      <Heart />
      {isFavorite ? 'Remove from favorites' : 'Add to favorites'}
    </MenuItem>
  );
}

const TrackDownloadDialog = lazyPanel(
  () => import('./track-download-dialog.tsx'),
  'TrackDownloadDialog',
);

function DownloadItem({ track: { keeping }, showDialog }: TrackMenuItemProps) {
  if (keeping === 'none') return null;
  return (
    <MenuItem onSelect={() => showDialog(TrackDownloadDialog)}>
      <ArrowDownToLine />
      {keeping ? 'Save offline' : 'Download'}
    </MenuItem>
  );
}

const AddToPlaylistDialog = lazyPanel(
  () => import('#web/features/playlists/add-to-playlist-dialog.tsx'),
  'AddToPlaylistDialog',
);

function AddToPlaylistItem({ user, showDialog }: TrackMenuItemProps) {
  if (!user) return null;
  return (
    <MenuItem onSelect={() => showDialog(AddToPlaylistDialog)}>
      <ListMusic />
      Add to playlist…
    </MenuItem>
  );
}

const ShareDialog = lazyPanel(
  () => import('#web/features/sharing/share-dialog.tsx'),
  'ShareDialog',
);

/** On a phone, the device's own list of apps. */
function ShareItem({ track, showDialog }: TrackMenuItemProps) {
  const share = () =>
    isSheetUsual() ? void openShareSheet(shareTrack(track)) : showDialog(ShareDialog);
  return (
    <MenuItem onSelect={share}>
      <Share2 />
      Share…
    </MenuItem>
  );
}

/** What that list doesn't have: a second to start at, a QR code, an embed, a picture. */
function MoreSharingItem({ showDialog }: TrackMenuItemProps) {
  if (!isSheetUsual()) return null;
  return (
    <MenuItem onSelect={() => showDialog(ShareDialog)}>
      <QrCode />
      Other ways to share…
    </MenuItem>
  );
}

function GoToTrackItem({ track }: TrackMenuItemProps) {
  return (
    <MenuItem asChild>
      <Link href={`/track/${track.id}`}>
        <Disc3 />
        Go to mix
      </Link>
    </MenuItem>
  );
}

type TrackMenuEntry = {
  Item: ComponentType<TrackMenuItemProps>;
  /** The button of a mix’s own page that does the same. */
  button?: string;
};

/** The items of a track's menu, in order. Each renders nothing where it doesn't apply. */
export const trackMenuItems: readonly TrackMenuEntry[] = [
  { Item: PlayNextItem },
  { Item: AddToQueueItem, button: 'Add to queue' },
  { Item: FavoriteItem, button: 'Favorite' },
  { Item: AddToPlaylistItem, button: 'Add to playlist' },
  { Item: DownloadItem, button: 'Download' },
  { Item: ShareItem, button: 'Share' },
  { Item: MoreSharingItem },
];

/** Everywhere but on the mix’s own page. */
export const goToTrack: TrackMenuEntry = { Item: GoToTrackItem };
