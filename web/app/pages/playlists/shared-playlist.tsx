import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { SharedPlaylist } from '#contract/playlists.ts';
import { sharedPlaylistQuery } from '#web/features/playlists/api.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageSkeleton } from '#web/app/page-skeleton.tsx';
import { PlaylistHead, PlaylistWords } from './playlist-head.tsx';
import { isRefusal, PlaylistProblem } from './playlist-problem.tsx';
import { SaveTracksButton } from '#web/features/playlists/save-tracks-button.tsx';
import { TrackRows } from '#web/features/tracks/track-rows.tsx';
import { useFavoriteMarks } from '#web/features/tracks/use-favorite-marks.ts';
import { usePageTitle } from '#web/app/use-page-title.ts';

const NONE: SharedPlaylist['tracks'] = [];

/** What somebody else's link opens: to hear, and to keep as a playlist of one's own. */
export function SharedPlaylistPage() {
  const { token = '' } = useParams();
  const { data: playlist, error, refetch, dataUpdatedAt } = useQuery(sharedPlaylistQuery(token));
  usePageTitle(playlist && `${playlist.name} · Shared playlist`);
  useFavoriteMarks(playlist?.tracks ?? NONE, dataUpdatedAt);
  // Turned off, a link shows nothing any more, also to whoever has the page open.
  if (error && (!playlist || isRefusal(error)))
    return (
      <PlaylistProblem
        title="Shared playlist"
        missing="The link was turned off, or it is not complete."
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!playlist) return <PageSkeleton kind="rows" />;
  return (
    <>
      <PlaylistHead
        kind={`Playlist by ${playlist.ownerName}`}
        tracks={playlist.tracks}
        actions={
          <SaveTracksButton label="Save as playlist" tracks={playlist.tracks} variant="line" />
        }
      >
        <PlaylistWords {...playlist} />
      </PlaylistHead>
      <div className="px-gutter pt-8">
        {playlist.tracks.length === 0 ? (
          <EmptyState title="Nothing in it yet">
            What its owner adds appears here, as far as your plan reaches.
          </EmptyState>
        ) : (
          <TrackRows label={playlist.name} tracks={playlist.tracks} />
        )}
      </div>
    </>
  );
}
