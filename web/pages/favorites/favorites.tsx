import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { TrackList } from '#web/features/tracks/track-list.tsx';
import { trackPagesQuery, useTrackPages } from '#web/features/tracks/track-pages.ts';
import { useNotices } from '#web/features/notifications/use-notices.ts';

const favoritesQuery = trackPagesQuery('GET /api/favorites');

export const listQueries = () => [favoritesQuery];

export function Page() {
  const pages = useTrackPages(favoritesQuery);
  return (
    <>
      <PageHead title="Favorites" lead="Mixes you’ve hearted, newest first." />
      <div className="px-gutter pt-8">
        <TrackList label="Favorites" pages={pages} empty={<NoFavorites />} />
        {pages.tracks.length > 0 && <NoticeLine />}
      </div>
    </>
  );
}

function NoFavorites() {
  return (
    <EmptyState
      title="No favorites yet"
      text="Tap the heart on a mix you like and you’ll find it here."
      link={{ href: '/library', label: 'Open the library' }}
    />
  );
}

/** One quiet line for listeners who could get notices and don't. */
function NoticeLine() {
  const { device, isChanging, set } = useNotices();
  if (device?.support !== 'yes' || device.isSubscribed) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-1 pt-6 text-13 text-text-3">
      Like what you hear?
      <button
        type="button"
        className="min-h-11 text-left text-text-2 underline underline-offset-4 hover:text-text"
        disabled={isChanging}
        onClick={() => set(true)}
      >
        Get notified when the next mix is out
      </button>
    </p>
  );
}
