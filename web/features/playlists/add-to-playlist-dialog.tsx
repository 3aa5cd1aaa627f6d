import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Plus } from '#web/ui/icons.ts';
import { useState } from 'react';
import type { Playlist } from '#contract/playlists.ts';
import type { Track } from '#contract/tracks.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { playlistsForTrackQuery } from './api.ts';
import { Collage } from './collage.tsx';
import { NewPlaylistDialog } from './new-playlist-dialog.tsx';
import { addToPlaylistMutation } from './track-mutations.ts';

type AddToPlaylistDialogProps = {
  track: Track;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** One dialog at a time: the new-playlist dialog replaces the list. */
export function AddToPlaylistDialog({ track, open, onOpenChange }: AddToPlaylistDialogProps) {
  const [isCreating, setCreating] = useState(false);
  const playlists = useQuery(playlistsForTrackQuery(track.id));
  if (isCreating)
    return (
      <NewPlaylistDialog
        open={open}
        onOpenChange={onOpenChange}
        description={`${track.title} will be the first mix.`}
        trackIds={[track.id]}
        onCreated={({ name }) => {
          showToast({ title: `Added to ${name}`, description: track.title });
          onOpenChange(false);
        }}
      />
    );
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Add to playlist" description={track.title}>
        <Button variant="line" isBlock onClick={() => setCreating(true)}>
          <Plus />
          New playlist
        </Button>
        <Loaded
          query={playlists}
          look="line"
          failed="Couldn’t load your playlists."
          className="mt-5"
          skeleton={
            <div role="status" aria-label="Loading: Your playlists" className="mt-4">
              <RowsSkeleton rows={3} />
            </div>
          }
        >
          {(data) => <Choices track={track} playlists={data} onAdded={() => onOpenChange(false)} />}
        </Loaded>
      </DialogContent>
    </Dialog>
  );
}

const SEARCH_FROM = 8;
const normalise = (text: string): string => text.trim().toLocaleLowerCase();

type ChoicesProps = { track: Track; playlists: readonly Playlist[]; onAdded: () => void };

function Choices({ track, playlists, onAdded }: ChoicesProps) {
  const [search, setSearch] = useState('');
  const found = playlists.filter(({ name }) => normalise(name).includes(normalise(search)));
  return (
    <div className="mt-4">
      {playlists.length >= SEARCH_FROM && (
        <Field
          label="Find a playlist"
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <ul aria-label="Your playlists" className="mt-2">
        {found.map((playlist) => (
          <Choice key={playlist.id} playlist={playlist} track={track} onAdded={onAdded} />
        ))}
      </ul>
      {playlists.length > 0 && found.length === 0 && (
        <p className="text-text-2">No playlists match.</p>
      )}
    </div>
  );
}

type ChoiceProps = { playlist: Playlist; track: Track; onAdded: () => void };

function Choice({ playlist, track, onAdded }: ChoiceProps) {
  const client = useQueryClient();
  const { mutate } = useMutation(addToPlaylistMutation(client, playlist));
  const { name, trackCount, sleeves, hasTrack } = playlist;
  const add = () => {
    if (hasTrack) return;
    mutate(track);
    onAdded();
  };
  return (
    <li className="border-t border-line first:border-0">
      <button
        type="button"
        aria-disabled={hasTrack}
        onClick={add}
        className="grid min-h-16 w-full grid-cols-[48px_minmax(0,1fr)_auto] items-center gap-3.5 text-left hover:[&_strong]:underline focus-visible:-outline-offset-2 aria-disabled:cursor-default aria-disabled:hover:[&_strong]:no-underline"
      >
        <Collage sleeves={sleeves} />
        <span className="min-w-0">
          <strong className="block truncate font-semibold">{name}</strong>
          <span className="block type-meta">{formatCount(trackCount, 'mix', 'mixes')}</span>
        </span>
        {hasTrack && (
          <span className="flex items-center gap-1.5 text-13 text-text-2">
            <Check strokeWidth={2} className="size-4" />
            Already added
          </span>
        )}
      </button>
    </li>
  );
}
