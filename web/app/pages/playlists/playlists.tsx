import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { playlistPagesQuery } from '#web/features/playlists/api.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { SleevesSkeleton } from '#web/ui/skeleton.tsx';
import { DeletedPlaylists } from './deleted-playlists.tsx';
import { PlaylistGrid } from './playlist-grid.tsx';
import { useNewPlaylist } from '#web/features/playlists/use-new-playlist.ts';
import { ListEnd, ListProblem } from '#web/features/tracks/list-end.tsx';

export function PlaylistsPage() {
  return (
    <>
      <PageHead
        title="Playlists"
        lead="Your own order of the year, the last changed first."
        end={<NewPlaylistButton />}
      />
      <div className="px-gutter pt-8">
        <Playlists />
        <DeletedPlaylists />
      </div>
    </>
  );
}

function Playlists() {
  const result = useInfiniteQuery(playlistPagesQuery);
  const { data, isError, fetchNextPage, refetch } = result;
  if (isError && !data) return <ListProblem onRetry={() => void refetch()} />;
  if (!data)
    return (
      <div role="status" aria-label="Loading: Your playlists">
        <SleevesSkeleton />
      </div>
    );
  // What was changed while the pages were read has moved to the front of the first.
  const all = data.pages.flatMap((page) => page.items);
  const playlists = [...new Map(all.map((playlist) => [playlist.id, playlist])).values()];
  if (playlists.length === 0)
    return (
      <EmptyState title="No playlists yet">
        Make one here, or choose “Add to playlist…” in the menu of any mix.
      </EmptyState>
    );
  return (
    <>
      <PlaylistGrid playlists={playlists} />
      <ListEnd
        pages={{
          hasMore: result.hasNextPage,
          isLoadingMore: result.isFetchingNextPage,
          hasMoreFailed: result.isFetchNextPageError,
          loadMore: () => void fetchNextPage(),
        }}
      />
    </>
  );
}

function NewPlaylistButton() {
  const { Overlay, open, onOpenChange, prefetch } = useNewPlaylist();
  const [, navigate] = useLocation();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        ref={button}
        aria-haspopup="dialog"
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => onOpenChange(true)}
      >
        <Plus aria-hidden strokeWidth={1.75} />
        New playlist
      </Button>
      {Overlay && (
        <Overlay
          open={open}
          onOpenChange={onOpenChange}
          opener={button}
          onCreated={({ id }) => navigate(`/playlist/${id}`)}
        />
      )}
    </>
  );
}
