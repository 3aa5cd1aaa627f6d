import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ListX } from '#web/ui/icons.ts';
import type { PlaylistDetail } from '#contract/playlists.ts';
import type { Track } from '#contract/tracks.ts';
import { DragHandle, ReorderRow, ReorderAnnouncer } from '#web/ui/reorder/reorder-row.tsx';
import { moveTrackMutation, removeTrackMutation } from '#web/features/playlists/track-mutations.ts';
import { useReorder } from '#web/ui/reorder/use-reorder.ts';
import { TrackRow } from '#web/features/tracks/track-row.tsx';
import { TrackRows } from '#web/features/tracks/track-rows.tsx';

/** The tracks of the user's own playlist, which can be reordered and removed. */
export function PlaylistTracks({ playlist }: { playlist: PlaylistDetail }) {
  const client = useQueryClient();
  const move = useMutation(moveTrackMutation(client, playlist.id));
  const remove = useMutation(removeTrackMutation(client, playlist));
  const { list, rows, drag, announcement, handleProps } = useReorder(
    playlist.tracks,
    ({ id, after }) => move.mutate({ trackId: id, after }),
  );
  return (
    <div ref={list}>
      <ReorderAnnouncer announcement={announcement} />
      <TrackRows
        label={playlist.name}
        tracks={rows}
        columns="none"
        renderRow={(row, index) => (
          <ReorderRow index={index} drag={drag}>
            <TrackRow
              {...row}
              lead={
                <DragHandle
                  id={row.track.id}
                  title={row.track.title}
                  drag={drag}
                  handleProps={handleProps}
                />
              }
              menuItems={[
                {
                  icon: ListX,
                  text: 'Remove from this playlist',
                  onSelect: () => remove.mutate(row.track),
                },
              ]}
            />
          </ReorderRow>
        )}
      />
    </div>
  );
}

type UnavailableNoteProps = { playlist: { trackCount: number; tracks: readonly Track[] } };

/** Says how many tracks are hidden because they were taken down. */
export function UnavailableNote({ playlist }: UnavailableNoteProps) {
  const hidden = playlist.trackCount - playlist.tracks.length;
  if (hidden <= 0) return null;
  const text =
    hidden === 1
      ? '1 mix is unavailable right now. It’ll return to its place.'
      : `${hidden} mixes are unavailable right now. They’ll return to their places.`;
  return <p className="mt-4 text-13 text-text-3">{text}</p>;
}
