import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { SharedPlaylist } from '#contract/playlists.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageSkeleton } from '#web/router/page-skeleton.tsx';
import { PlaylistHead, PlaylistTitle } from './playlist-head.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { SaveTracksButton } from '#web/features/playlists/save-tracks-button.tsx';
import { TrackRows } from '#web/features/tracks/track-rows.tsx';
import { useUpdateFavorites } from '#web/features/tracks/use-update-favorites.ts';
import { usePageTitle } from '#web/router/use-page-title.ts';

const NO_TRACKS: SharedPlaylist['tracks'] = [];

/** Someone else's playlist, opened by its link, to play or to save as your own. */
export function Page() {
  const { token = '' } = useParams();
  const query = useQuery(apiQuery('GET /api/shared-playlists/:token', { params: { token } }));
  const { data, dataUpdatedAt } = query;
  usePageTitle(data && `${data.name} · Shared playlist`);
  useUpdateFavorites(data?.tracks ?? NO_TRACKS, dataUpdatedAt);
  return (
    <Loaded
      query={query}
      pageTitle="Shared playlist"
      failed="Couldn’t load this playlist"
      missing={{
        title: 'Playlist not found',
        text: 'The link has been turned off or is incomplete.',
        link: { href: '/playlists', label: 'Your playlists' },
      }}
      skeleton={<PageSkeleton kind="rows" />}
    >
      {(playlist) => (
        <>
          <PlaylistHead
            kind={`Playlist by ${playlist.ownerName}`}
            name={playlist.name}
            tracks={playlist.tracks}
            actions={
              <SaveTracksButton label="Save as playlist" tracks={playlist.tracks} variant="line" />
            }
          >
            <PlaylistTitle {...playlist} />
          </PlaylistHead>
          <div className="px-gutter pt-8">
            {playlist.tracks.length === 0 ? (
              <EmptyState
                title="This playlist is empty"
                text="Mixes the owner adds will appear here."
              />
            ) : (
              <TrackRows label={playlist.name} tracks={playlist.tracks} />
            )}
          </div>
        </>
      )}
    </Loaded>
  );
}
