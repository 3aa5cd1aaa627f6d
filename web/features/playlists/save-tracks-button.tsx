import { ListMusic } from 'lucide-react';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import type { Track } from '#contract/tracks.ts';
import { countMixes } from '#web/features/playlists/count-mixes.ts';
import { showToast } from '#web/lib/toasts.ts';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { useNewPlaylist } from './use-new-playlist.ts';

type SaveTracksButtonProps = Pick<ButtonProps, 'variant' | 'size' | 'className'> & {
  label: string;
  tracks: readonly Track[];
};

/** Makes a playlist of what stands here now, each mix once and in this order. */
export function SaveTracksButton({ label, tracks, ...look }: SaveTracksButtonProps) {
  const { Overlay, open, onOpenChange, prefetch } = useNewPlaylist();
  const [, navigate] = useLocation();
  const button = useRef<HTMLButtonElement>(null);
  const trackIds = [...new Set(tracks.map((track) => track.id))];
  return (
    <>
      <Button
        {...look}
        ref={button}
        disabled={trackIds.length === 0}
        aria-haspopup="dialog"
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => onOpenChange(true)}
      >
        <ListMusic aria-hidden strokeWidth={1.75} />
        {label}
      </Button>
      {Overlay && (
        <Overlay
          open={open}
          onOpenChange={onOpenChange}
          opener={button}
          title="Save as playlist"
          description={`A playlist of your own with ${countMixes(trackIds.length)}.`}
          trackIds={trackIds}
          onCreated={({ id, name }) => {
            onOpenChange(false);
            showToast({
              title: 'Playlist saved',
              description: name,
              action: { label: 'Open', onSelect: () => navigate(`/playlist/${id}`) },
            });
          }}
        />
      )}
    </>
  );
}
