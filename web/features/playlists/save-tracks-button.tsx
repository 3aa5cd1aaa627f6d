import { ListMusic } from '#web/ui/icons.ts';
import { useLocation } from 'wouter';
import type { Track } from '#contract/tracks.ts';
import { showToast } from '#web/lib/toasts.ts';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { useNewPlaylist } from './use-new-playlist.ts';

type SaveTracksButtonProps = Pick<ButtonProps, 'variant' | 'size' | 'className'> & {
  label: string;
  tracks: readonly Track[];
};

/** Creates a playlist from these tracks, each once and in this order. */
export function SaveTracksButton({ label, tracks, ...look }: SaveTracksButtonProps) {
  const { buttonProps, render, close } = useNewPlaylist();
  const [, navigate] = useLocation();
  const trackIds = [...new Set(tracks.map((track) => track.id))];
  return (
    <>
      <Button {...look} disabled={trackIds.length === 0} {...buttonProps}>
        <ListMusic />
        {label}
      </Button>
      {render({
        title: 'Save as playlist',
        description: `Save ${trackIds.length === 1 ? 'this mix' : `these ${trackIds.length} mixes`} as a new playlist.`,
        trackIds,
        onCreated: ({ id, name }) => {
          close();
          showToast({
            title: 'Playlist saved',
            description: name,
            action: { label: 'Open', onSelect: () => navigate(`/playlist/${id}`) },
          });
        },
      })}
    </>
  );
}
