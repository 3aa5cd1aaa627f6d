import { NoticeLine } from './notice-line.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { TrackList } from '#web/features/tracks/track-list.tsx';
import { trackPagesQuery, useTrackPages } from '#web/features/tracks/track-pages.ts';

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
