import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { FavoriteButton } from '#web/features/favorites/favorite-button.tsx';
import { AddToQueueButton } from '#web/features/tracks/add-to-queue-button.tsx';
import { DownloadButton } from '#web/features/tracks/download-button.tsx';

/** What can be done with a mix besides hearing it, which is nobody's first press. */
export function HomeActions({ track, user }: { track: Track; user: User | null }) {
  return (
    <>
      <FavoriteButton track={track} user={user} />
      <AddToQueueButton track={track} />
      {/* Where there is no room for it, the page of the mix has it. */}
      <span className="max-xl:hidden">
        <DownloadButton track={track} user={user} look="icon" />
      </span>
    </>
  );
}
