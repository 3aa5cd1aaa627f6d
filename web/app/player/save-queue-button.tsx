import { usePlayerState } from '#web/player/use-player.ts';
import { SaveTracksButton } from '#web/features/playlists/save-tracks-button.tsx';

export function SaveQueueButton() {
  const queue = usePlayerState((state) => state.queue);
  return (
    <SaveTracksButton
      label="Save as playlist"
      tracks={queue}
      variant="quiet"
      size="sm"
      className="-my-2 -mr-3"
    />
  );
}
