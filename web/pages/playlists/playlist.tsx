import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, useEffect, useRef } from 'react';
import { useParams, useLocation } from 'wouter';
import type { PlaylistDetail } from '#contract/playlists.ts';
import { playlistQuery } from '#web/features/playlists/api.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageSkeleton } from '#web/router/page-skeleton.tsx';
import type { Visit } from '#web/router/route.ts';
import { PlaylistHead, PlaylistTitle } from './playlist-head.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { PlaylistTracks, UnavailableNote } from './playlist-tracks.tsx';
import { useUpdateFavorites } from '#web/features/tracks/use-update-favorites.ts';
import { usePageTitle } from '#web/router/use-page-title.ts';
import {
  updatePlaylistMutation,
  deletePlaylistMutation,
} from '#web/features/playlists/mutations.ts';
import { PlaylistForm } from '#web/features/playlists/playlist-form.tsx';
import { Pencil, Share2, Trash2 } from '#web/ui/icons.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';

const NO_TRACKS: PlaylistDetail['tracks'] = [];

export const listQueries = ({ params: { id = '' } }: Visit) => [playlistQuery(id)];

export function Page() {
  const { id = '' } = useParams();
  const query = useQuery(playlistQuery(id));
  const { data, dataUpdatedAt } = query;
  const [editing, setEditing] = useState<string | null>(null);
  usePageTitle(data && `${data.name} · Playlist`);
  useUpdateFavorites(data?.tracks ?? NO_TRACKS, dataUpdatedAt);
  return (
    <Loaded
      query={query}
      pageTitle="Playlist"
      failed="Couldn’t load this playlist"
      missing={{
        title: 'Playlist not found',
        text: 'It’s been deleted, or it belongs to someone else.',
        link: { href: '/playlists', label: 'Your playlists' },
      }}
      skeleton={<PageSkeleton kind="rows" />}
    >
      {(playlist) => (
        <>
          <PlaylistHead
            kind={playlist.shareToken ? 'Shared playlist' : 'Playlist'}
            name={playlist.name}
            tracks={playlist.tracks}
            actions={<PlaylistActions playlist={playlist} onEdit={() => setEditing(id)} />}
          >
            {editing === id ? (
              <EditDetailsForm playlist={playlist} onDone={() => setEditing(null)} />
            ) : (
              <PlaylistTitle {...playlist} />
            )}
          </PlaylistHead>
          <div className="px-gutter pt-8">
            {playlist.trackCount === 0 ? <NoTracks /> : <PlaylistTracks playlist={playlist} />}
            <UnavailableNote playlist={playlist} />
          </div>
        </>
      )}
    </Loaded>
  );
}

function NoTracks() {
  return (
    <EmptyState
      title="This playlist is empty"
      text="Choose “Add to playlist…” from any mix’s menu."
      link={{ href: '/library', label: 'Open the library' }}
    />
  );
}

type EditDetailsFormProps = {
  playlist: Pick<PlaylistDetail, 'id' | 'name' | 'description'>;
  onDone: () => void;
};

/** Replaces the title and description. Enter saves, Escape cancels. */
function EditDetailsForm({ playlist, onDone }: EditDetailsFormProps) {
  const { mutate } = useMutation(updatePlaylistMutation(useQueryClient(), playlist.id));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.select(), []);
  useEffect(() => {
    const element = form.current;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onDone();
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [onDone]);
  return (
    <PlaylistForm
      ref={form}
      aria-label="Edit details"
      className="mt-3 flex max-w-[460px] flex-col gap-4"
      name={playlist.name}
      description={playlist.description}
      submitLabel="Save"
      actions={
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      }
      onSubmit={({ name, description = '' }) => {
        mutate({ name, description });
        onDone();
        return Promise.resolve();
      }}
    />
  );
}

const useShareDialog = lazyOverlay('dialog', () => import('./share-dialog.tsx'), 'ShareDialog');

type PlaylistActionsProps = { playlist: PlaylistDetail; onEdit: () => void };

/** Actions for the owner of the playlist. */
function PlaylistActions({ playlist, onEdit }: PlaylistActionsProps) {
  return (
    <div className="flex @2xl/content:gap-1">
      <ShareButton playlist={playlist} />
      <IconButton label="Edit details" onClick={onEdit}>
        <Pencil />
      </IconButton>
      <DeleteButton playlist={playlist} />
    </div>
  );
}

function ShareButton({ playlist }: Pick<PlaylistActionsProps, 'playlist'>) {
  const { buttonProps, render } = useShareDialog();
  return (
    <>
      <IconButton label="Share" {...buttonProps}>
        <Share2 />
      </IconButton>
      {render({ playlist })}
    </>
  );
}

function DeleteButton({ playlist }: Pick<PlaylistActionsProps, 'playlist'>) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { mutateAsync, isPending } = useMutation(deletePlaylistMutation(client, playlist));
  async function remove(): Promise<void> {
    // The mutation shows its own error; the playlist is still there.
    await mutateAsync().then(
      () => navigate('/playlists'),
      () => undefined,
    );
  }
  return (
    <IconButton label="Delete playlist" disabled={isPending} onClick={() => void remove()}>
      <Trash2 />
    </IconButton>
  );
}
