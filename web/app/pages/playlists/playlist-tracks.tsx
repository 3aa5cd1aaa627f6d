import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy } from 'react';
import type { PlaylistDetail } from '#contract/playlists.ts';
import type { Track } from '#contract/tracks.ts';
import { DragHandle, ReorderRow, ReorderWords } from '#web/features/playlists/reorder-row.tsx';
import { moveTrackMutation, removeTrackMutation } from '#web/features/playlists/track-mutations.ts';
import { useReorder } from '#web/features/playlists/use-reorder.ts';
import { TrackRow } from '#web/features/tracks/track-row.tsx';
import { TrackRows } from '#web/features/tracks/track-rows.tsx';

const RemoveItem = lazy(() =>
  import('./remove-item.tsx').then((module) => ({ default: module.RemoveItem })),
);

/** The mixes of one's own playlist: each can be carried to another place and taken out. */
export function PlaylistTracks({ playlist }: { playlist: PlaylistDetail }) {
  const client = useQueryClient();
  const move = useMutation(moveTrackMutation(client, playlist.id));
  const remove = useMutation(removeTrackMutation(client, playlist));
  const { list, tracks, lift, words, handleProps } = useReorder(playlist.tracks, move.mutate);
  return (
    <div ref={list}>
      <ReorderWords words={words} />
      <TrackRows
        label={playlist.name}
        tracks={tracks}
        renderRow={(row, index) => (
          <ReorderRow index={index} lift={lift}>
            <TrackRow
              {...row}
              lead={
                <DragHandle
                  id={row.track.id}
                  title={row.track.title}
                  lift={lift}
                  handleProps={handleProps}
                />
              }
              menuItems={<RemoveItem onRemove={() => remove.mutate(row.track)} />}
            />
          </ReorderRow>
        )}
      />
    </div>
  );
}

type UnavailableProps = { playlist: { trackCount: number; tracks: readonly Track[] } };

/** What was taken down keeps its place, and is not spoken of beyond that. */
export function Unavailable({ playlist }: UnavailableProps) {
  const hidden = playlist.trackCount - playlist.tracks.length;
  if (hidden <= 0) return null;
  const words =
    hidden === 1
      ? '1 mix is not available at the moment. It keeps its place.'
      : `${hidden} mixes are not available at the moment. They keep their places.`;
  return <p className="mt-4 text-13 text-text-3">{words}</p>;
}
