import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { FavoriteButton } from '#web/features/favorites/favorite-button.tsx';
import { AddToQueueButton, DownloadButton } from '#web/features/tracks/track-buttons.tsx';

/** The buttons next to Play. */
export function HomeActions({ track, user }: { track: Track; user: User | null }) {
  return (
    <>
      <FavoriteButton track={track} user={user} />
      <AddToQueueButton track={track} />
      {/* Without enough room only the mix’s own page has it. */}
      <span className="@max-5xl/content:hidden">
        <DownloadButton track={track} user={user} look="icon" />
      </span>
    </>
  );
}
