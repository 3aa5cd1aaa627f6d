import { ListMusic } from '#web/ui/icons.ts';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Track } from '#contract/tracks.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { useNewPlaylist } from './use-new-playlist.ts';

type SaveTracksButtonProps = Pick<ButtonProps, 'variant' | 'size' | 'className'> & {
  label: string;
  tracks: readonly Track[];
  /** The ones the user picked one by one. Only these are saved, unless the user wants all. */
  picks?: readonly Track[];
};

const listIds = (tracks: readonly Track[]): string[] => [...new Set(tracks.map(({ id }) => id))];

/** Creates a playlist from these tracks, each once and in this order. */
export function SaveTracksButton({
  label,
  tracks,
  picks = tracks,
  ...look
}: SaveTracksButtonProps) {
  const { buttonProps, render, close } = useNewPlaylist();
  const [, navigate] = useLocation();
  const [choice, setChoice] = useState<'picks' | 'all'>('picks');
  const ids = { picks: listIds(picks), all: listIds(tracks) };
  const hasChoice = ids.picks.length < ids.all.length;
  const trackIds = hasChoice ? ids[choice] : ids.all;
  return (
    <>
      <Button {...look} disabled={trackIds.length === 0} {...buttonProps}>
        <ListMusic />
        {label}
      </Button>
      {render({
        title: 'Save as playlist',
        description: `Save ${trackIds.length === 1 ? 'this mix' : `these ${trackIds.length} mixes`} as a new playlist.`,
        choice: hasChoice && (
          <Segmented
            label="Mixes to save"
            options={[
              { value: 'picks', label: `Your picks · ${ids.picks.length}` },
              { value: 'all', label: `Whole queue · ${ids.all.length}` },
            ]}
            value={choice}
            onValueChange={setChoice}
            className="self-start"
          />
        ),
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
