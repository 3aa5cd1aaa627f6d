import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import type { PlaylistDetail } from '#contract/playlists.ts';
import { playlistQuery } from '#web/features/playlists/api.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageSkeleton } from '#web/app/page-skeleton.tsx';
import { DescribeForm } from './edit-details-form.tsx';
import { PlaylistActions } from './playlist-actions.tsx';
import { PlaylistHead, PlaylistWords } from './playlist-head.tsx';
import { isRefusal, PlaylistProblem } from './playlist-problem.tsx';
import { PlaylistTracks, Unavailable } from './playlist-tracks.tsx';
import { useFavoriteMarks } from '#web/features/tracks/use-favorite-marks.ts';
import { usePageTitle } from '#web/app/use-page-title.ts';

const NONE: PlaylistDetail['tracks'] = [];

export function PlaylistPage() {
  const { id = '' } = useParams();
  const { data: playlist, error, refetch, dataUpdatedAt } = useQuery(playlistQuery(id));
  const [editing, setEditing] = useState<string | null>(null);
  usePageTitle(playlist && `${playlist.name} · Playlist`);
  useFavoriteMarks(playlist?.tracks ?? NONE, dataUpdatedAt);
  // Deleted on another device it is gone here too; without an answer, what was read last stays.
  if (error && (!playlist || isRefusal(error)))
    return (
      <PlaylistProblem
        title="Playlist"
        missing="It was deleted, or it belongs to somebody else."
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!playlist) return <PageSkeleton kind="rows" />;
  return (
    <>
      <PlaylistHead
        kind={playlist.shareToken ? 'Shared playlist' : 'Playlist'}
        tracks={playlist.tracks}
        actions={<PlaylistActions playlist={playlist} onEdit={() => setEditing(id)} />}
      >
        {editing === id ? (
          <DescribeForm playlist={playlist} onDone={() => setEditing(null)} />
        ) : (
          <PlaylistWords {...playlist} />
        )}
      </PlaylistHead>
      <div className="px-gutter pt-8">
        {playlist.trackCount === 0 ? <NoTracks /> : <PlaylistTracks playlist={playlist} />}
        <Unavailable playlist={playlist} />
      </div>
    </>
  );
}

function NoTracks() {
  return (
    <EmptyState
      title="Nothing in it yet"
      action={
        <Link href="/library" className={buttonClass({ variant: 'line' })}>
          Open the library
        </Link>
      }
    >
      Choose “Add to playlist…” in the menu of any mix.
    </EmptyState>
  );
}
